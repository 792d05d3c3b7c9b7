import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { sendOk } from './people.ts'
import { aPublishedSite, ask, aSpace, readerSites, type ReaderSites } from './reader-sites.ts'

interface Claim {
  type: string
  enum?: string[]
  items?: Claim
  properties?: Record<string, Claim>
}

const description = 'A claim'
const flag = { type: 'boolean', description }
const oneOf = (...values: string[]) => ({ type: 'string', description, enum: values })
const someOf = (...values: string[]) => ({ type: 'array', description, items: oneOf(...values) })
const objectOf = (properties: Record<string, Claim>) => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
})
const unsigned = {
  ...objectOf({
    beta: flag,
    'is-staff': flag,
    'with.dot': flag,
    größe: oneOf('true', '5', 'ä b', 'x=1&y=2'),
    roles: someOf('editor', 'a,b', '["x"]'),
    '日本 "x"': objectOf({ plan: oneOf('pro'), 'team.size': someOf('5', 'many'), inner: objectOf({ on: flag }) }),
  }),
  description: 'Unsigned claims of the site visitor.',
}
const jsonSchema = {
  type: 'object',
  properties: { unsigned, size: { type: 'number', description } },
  additionalProperties: false,
}

/** For each condition that the schema suggests, in their order, the claim that meets it. */
function claimsOf(
  { type, enum: values = [], items, properties = {} }: Claim,
  path: string[] = [],
): [string[], string][] {
  if (type === 'boolean') return [[path, 'true']]
  if (type === 'string') return values.map(value => [path, value])
  if (type === 'array') return (items?.enum ?? []).map(value => [path, value])
  return Object.entries(properties).flatMap(([name, claim]) => claimsOf(claim, [...path, name]))
}

/** A claim in a query, as the reader takes it: by dots, or where a name has one, as JSON. */
function queryOf([path, value]: [string[], string]): URLSearchParams {
  if (!path.some(name => name.includes('.'))) return new URLSearchParams({ [`visitor.${path.join('.')}`]: value })
  const claims = path.reduceRight<unknown>((below, name) => ({ [name]: below }), value)
  return new URLSearchParams({ visitor: JSON.stringify(claims) })
}

let sites: ReaderSites
let root: string
let conditions: string[]
let claims: [string[], string][]
beforeAll(async () => {
  sites = await readerSites()
  const { admin, organizationId, stack } = sites
  const { orgs } = admin.client
  const space = await aSpace(sites, 'Adaptive', [
    { operation: 'insert_page', title: 'Home', document: { markdown: '# Home\n' } },
  ])
  const settings = { adaptiveContent: { enabled: true } }
  const { siteId, name } = await aPublishedSite(sites, { title: 'Adaptive docs', spaces: [space], settings })
  await orgs.updateSiteAdaptiveSchema(organizationId, siteId, { jsonSchema: jsonSchema as never })
  const { items } = (await orgs.listSiteAdaptiveTemplateConditions(organizationId, siteId)).data
  conditions = items.map(({ condition }) => condition)
  // Its claims come in another order than they went.
  const { jsonSchema: stored } = (await orgs.getSiteAdaptiveSchema(organizationId, siteId)).data
  claims = claimsOf(stored.properties.unsigned as unknown as Claim)
  const changes = conditions.map((condition, at) => ({ operation: 'insert_page', title: `Page ${at}`, condition }))
  await sendOk(stack, admin, { method: 'POST', path: `/spaces/${space}/content`, body: { changes } })
  root = `${sites.reader}/${name}`
  await eventually(async () => expect((await ask(`${root}/`)).status).toBe(200))
})
afterAll(async () => {
  await sites.stop()
})

/** Opens an address as a browser does: with the cookies of the first reply. */
async function visit(path: string, query: URLSearchParams): Promise<number> {
  const entered = await ask(`${root}/${path}?${query.toString()}`)
  const cookie = (entered.headers['set-cookie'] ?? []).map(text => text.split(';')[0]).join('; ')
  expect([entered.status, entered.headers.location]).toEqual([307, new URL(`${root}/${path}`).pathname])
  return (await ask(`${root}/${path}`, { headers: { cookie } })).status
}

describe('a claim without proof in a URL', () => {
  it('makes each condition true that the schema suggests', async () => {
    expect(conditions).toHaveLength(claims.length)
    for (const [at, claim] of claims.entries()) {
      expect([claim, (await ask(`${root}/page-${at}`)).status]).toEqual([claim, 404])
      expect([claim, await visit(`page-${at}`, queryOf(claim))]).toEqual([claim, 200])
    }
  })

  it('may come more than once, by commas or as JSON where the schema has an array', async () => {
    const editor = conditions.findIndex(text => text.includes('editor'))
    const commas = conditions.findIndex(text => text.includes('a,b'))
    const both = [
      ['visitor.roles', 'editor'],
      ['visitor.roles', 'a,b'],
    ] as [string, string][]
    for (const at of [editor, commas]) expect(await visit(`page-${at}`, new URLSearchParams(both))).toBe(200)
    for (const roles of ['other,editor', '["editor","a,b"]'])
      expect(await visit(`page-${editor}`, new URLSearchParams({ 'visitor.roles': roles }))).toBe(200)
  })
})
