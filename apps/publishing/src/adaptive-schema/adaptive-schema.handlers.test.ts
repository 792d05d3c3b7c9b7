import { adaptiveSchemaLimits } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let params: { organizationId: string; siteId: string }
beforeEach(async () => {
  const site = await creator().createSite({ params: { organizationId: organization } })
  params = { organizationId: organization, siteId: site.id }
})
const creator = () => publishing.as('create')
const flag = { type: 'boolean', description: 'A flag' }
const object = (properties: object, description = 'Inner') => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
})
const schemaOf = (properties: object) => ({ type: 'object', properties, additionalProperties: false })
const put = (jsonSchema: object) => creator().updateSiteAdaptiveSchema({ params, body: { jsonSchema } as never })

it('keeps what is known of visitors, and suggests conditions', async () => {
  await expect(creator().getSiteAdaptiveSchema({ params })).rejects.toMatchObject({ code: 'not_found' })
  expect(await creator().listSiteAdaptiveTemplateConditions({ params })).toEqual({ items: [] })
  const jsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schemaOf({
      unsigned: object({ beta: flag }, 'Unsigned claims of the site visitor.'),
      plan: { type: 'string', description: 'Plan', enum: ['free', 'pro'] },
      company: object({ size: { type: 'number', description: 'People' } }),
      roles: { type: 'array', description: 'Roles', items: { type: 'string', description: 'A role' } },
    }),
  }
  const saved = await put(jsonSchema)
  expect(schemas.validateReply('updateSiteAdaptiveSchema', 200, saved)).toEqual([])
  const read = await publishing.as('read').getSiteAdaptiveSchema({ params })
  expect(read).toEqual({ object: 'site-adaptive-schema', jsonSchema, updatedAt: saved.updatedAt })
  expect(schemas.validateReply('getSiteAdaptiveSchema', 200, read)).toEqual([])
  const conditions = await publishing.as('read').listSiteAdaptiveTemplateConditions({ params })
  expect(schemas.validateReply('listSiteAdaptiveTemplateConditions', 200, conditions)).toEqual([])
  expect(conditions.items.map(({ condition }) => condition)).toEqual(
    expect.arrayContaining(['visitor.claims.unsigned.beta === true', 'visitor.claims.plan === "pro"']),
  )
})

describe('a schema is refused, naming the field', () => {
  const deep = (levels: number): object => (levels === 0 ? flag : object({ in: deep(levels - 1) }))
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, flag]))
  it.each<[string, object, string]>([
    ['open', { ...schemaOf({}), additionalProperties: true }, 'additionalProperties'],
    [
      'open inside',
      schemaOf({ a: { ...object({}), additionalProperties: true } }),
      'properties.a.additionalProperties',
    ],
    ['another type', schemaOf({ a: { type: 'null', description: 'A' } }), 'properties.a.type'],
    ['no description', schemaOf({ a: { type: 'boolean' } }), 'properties.a.description'],
    ['another keyword', schemaOf({ a: { ...flag, pattern: 'a' } }), 'properties.a'],
    ['another draft', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schemaOf({}) }, '$schema'],
    ['other unsigned', schemaOf({ unsigned: object({}, 'Mine') }), 'properties.unsigned.description'],
    [
      'a list of objects',
      schemaOf({ a: { type: 'array', description: 'A', items: object({}) } }),
      'properties.a.items.type',
    ],
    ['an empty enumeration', schemaOf({ a: { type: 'string', description: 'A', enum: [] } }), 'properties.a.enum'],
    ['a repeated value', schemaOf({ a: { type: 'string', description: 'A', enum: ['a', 'a'] } }), 'properties.a.enum'],
    ['a reserved name', schemaOf({ constructor: flag }), 'properties.constructor'],
    ['a long name', schemaOf({ ['x'.repeat(65)]: flag }), `properties.${'x'.repeat(65)}`],
    ['too deep', schemaOf({ a: deep(5) }), 'properties.a.properties.in.properties.in.properties.in.properties.in.type'],
    [
      'much too deep',
      schemaOf({ a: deep(1_000) }),
      'properties.a.properties.in.properties.in.properties.in.properties.in.type',
    ],
    ['too large', schemaOf(many(adaptiveSchemaLimits.claims + 1)), 'properties'],
  ])('%s', async (_case, jsonSchema, field) => {
    await expect(put(jsonSchema)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: `body.jsonSchema.${field}` })],
    })
    await expect(creator().getSiteAdaptiveSchema({ params })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('not at the limits', async () => {
    expect(await put(schemaOf({ a: deep(4) }))).toBeDefined()
    expect(await put(schemaOf(many(adaptiveSchemaLimits.claims)))).toBeDefined()
  })
})

it('is set by those who manage sites, on a site that they see', async () => {
  const body = { jsonSchema: schemaOf({}) } as never
  await expect(publishing.as('review').updateSiteAdaptiveSchema({ params, body })).rejects.toMatchObject({
    code: 'forbidden',
  })
  for (const role of [null, undefined])
    await expect(publishing.as(role).listSiteAdaptiveTemplateConditions({ params })).rejects.toMatchObject({
      code: 'not_found',
    })
})
