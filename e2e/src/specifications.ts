import { randomUUID } from 'node:crypto'
import { eventually } from '@recto/testing'
import type { Person } from './people.ts'

/** The text of a specification with one operation. */
export const aSpecificationText = (title = 'Toys') =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: { '/toys': { get: { tags: ['toys'], responses: { 200: { description: 'Toys' } } } } },
  })

/** Creates a specification of a text and waits for its first version. */
export async function aSpecification(
  { client: { orgs } }: Pick<Person, 'client'>,
  organizationId: string,
  text = aSpecificationText(),
): Promise<{ slug: string; version: string }> {
  const slug = `toys-${randomUUID()}`
  await orgs.createOpenApiSpec(organizationId, { slug, source: { text } })
  return eventually(async () => {
    const { lastVersion } = (await orgs.getOpenApiSpecBySlug(organizationId, slug)).data
    if (lastVersion === undefined) throw new Error('not processed')
    return { slug, version: lastVersion }
  })
}
