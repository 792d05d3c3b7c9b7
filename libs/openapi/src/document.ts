import {
  createsSomething,
  statusOf,
  failureStatus,
  routeOf,
  scopeOf,
  type FailureCode,
  type Operation,
  type Operations,
} from '@recto/operation'
import { createComponents, type Components, type JsonSchema } from './schemas.ts'

/** The document's `info`, and the prefix of its paths. */
export interface OpenApiInfo {
  title: string
  version: string
  description: string
  /** Path prefix of every operation, such as `/v1`. */
  prefix: string
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string }[]
  paths: Record<string, Record<string, unknown>>
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, JsonSchema> }
}

const implied: FailureCode[] = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
  'timeout',
]
const ofTokens: FailureCode[] = ['unauthenticated', 'forbidden', 'rate_limited']
const withBody: FailureCode[] = ['too_large', 'unsupported_media_type']

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request failed',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
}

/** Derives the OpenAPI 3.1 document from the contract; rows without route are left out. */
export function openApiDocument(api: Record<string, Operations>, info: OpenApiInfo): OpenApiDocument {
  const components = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [service, operations] of Object.entries(api)) {
    for (const [operationId, operation] of Object.entries(operations)) {
      const route = routeOf(operation)
      if (!route) continue
      const item = (paths[route.path] ??= {})
      item[route.method.toLowerCase()] = describe(components, { service, operationId, operation })
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.prefix }],
    security: [{ token: [] }],
    tags: Object.keys(api).map(name => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, ...components.schemas },
    },
  }
}

function describe(
  components: Components,
  row: { service: string; operationId: string; operation: Operation },
): unknown {
  const { service, operationId, operation } = row
  return {
    operationId,
    summary: operation.summary,
    description: [
      operation.description,
      operation.access?.public ? 'Needs no token.' : `Needs the scope \`${scopeOf(operation)}\`.`,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [service],
    ...(operation.access?.public && { security: [] }),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(components, operation),
      ...headerParameters(operation),
      ...(createsSomething(operation) ? [idempotencyKey] : []),
    ],
    ...(operation.body && { requestBody: requestBody(components, operation) }),
    ...(operation.request?.raw && { requestBody: rawBody }),
    responses: { ...success(components, operation), ...failures(operation) },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes repeating the request safe: within a day, a request with the same key gets the first reply, and creates nothing more',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const rawBody = { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }

/** Which of them a request has to have is up to the operation. */
function headerParameters(operation: Operation): unknown[] {
  return (operation.request?.headers ?? []).map(name => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
  }))
}

function pathParameters(operation: Operation): unknown[] {
  const names = [...(operation.route ?? '').matchAll(/\{(\w+)\}/g)].map(match => match[1])
  return names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(components: Components, operation: Operation): unknown[] {
  if (!operation.query) return []
  const schema = components.inline(operation.query)
  const required = (schema.required as string[] | undefined) ?? []
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}

function requestBody(components: Components, operation: Operation): unknown {
  const schema = operation.body && components.reference(operation.body, 'input')
  const type = operation.request?.form ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required: !operation.request?.optionalBody, content: { [type]: { schema } } }
}

function success(components: Components, operation: Operation): Record<string, unknown> {
  const status = statusOf(operation)
  if (status === 302)
    return {
      [status]: {
        description: 'Elsewhere',
        headers: { location: { description: 'Where to go on', schema: { type: 'string' } } },
      },
    }
  if (status === 204 || operation.reply.def.type === 'undefined') return { [status]: { description: 'Done' } }
  const location = { location: { description: 'URL of what was created', schema: { type: 'string' } } }
  const type = operation.response?.mediaType ?? 'application/json'
  const content = { [type]: { schema: components.reference(operation.reply, 'output') } }
  const created = { 201: { description: 'Created', headers: location, content } }
  if (status === 201) return created
  return { [status]: { description: 'Success', content }, ...(operation.creates === 'ifAbsent' && created) }
}

function failures(operation: Operation): Record<string, unknown> {
  const always = operation.access?.public ? implied.filter(code => !ofTokens.includes(code)) : implied
  const codes = new Set([
    ...always,
    ...(operation.body ? withBody : []),
    ...(createsSomething(operation) ? (['conflict'] as const) : []),
    ...(operation.errors ?? []),
  ])
  const page = { 'text/html': { schema: { type: 'string', description: 'A page for the person who sees it' } } }
  const content = operation.response?.failurePage
    ? page
    : { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const sorted = [...codes].sort((a, b) => failureStatus[a] - failureStatus[b])
  return Object.fromEntries(
    sorted.map(code => [failureStatus[code], { description: code.replaceAll('_', ' '), content }]),
  )
}
