/** A specification of OpenAPI 3.0 with one operation. */
export function aDocument({ title = 'Toys', ...more }: { title?: string; [key: string]: unknown } = {}) {
  return {
    openapi: '3.0.3',
    info: { title, version: '1' },
    paths: {
      '/toys': {
        get: { operationId: 'listToys', responses: { 200: { description: 'Toys' } } },
      },
    },
    ...more,
  }
}
