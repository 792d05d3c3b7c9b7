import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

const names = ['Manual', 'Beta', 'Next', 'Closed'] as const
type Name = (typeof names)[number]
let params: { organizationId: string; siteId: string }
let spaces: Record<Name, string>
let siteSpaces: Record<Name, string>
/** A site with the sections Manual and Beta; Beta has the variant Next, and Closed is for testers. */
beforeEach(async () => {
  spaces = Object.fromEntries(names.map(name => [name, publishing.content.aSpace(name)])) as typeof spaces
  const at = { organizationId: organization }
  const site = await creator().createSite({ params: at, body: { spaces: [spaces.Manual] } })
  params = { ...at, siteId: site.id }
  await creator().publishSite({ params })
  const beta = await creator().addSectionToSite({ params, body: { spaceId: spaces.Beta } })
  await creator().addSpaceToSite({ params, body: { spaceId: spaces.Next, sectionId: beta.id } })
  const closed = await creator().addSectionToSite({ params, body: { spaceId: spaces.Closed } })
  const hidden = { params: { ...params, siteSectionId: closed.id }, body: { condition: 'visitor.claims.beta' } }
  await creator().updateSiteSectionById(hidden)
  const { items } = await creator().listSiteSpaces({ params })
  const idOf = (name: Name) => items.find(({ space }) => space.id === spaces[name])?.id ?? ''
  siteSpaces = Object.fromEntries(names.map(name => [name, idOf(name)])) as typeof siteSpaces
})

const creator = () => publishing.as('create')
type Seen = Partial<Parameters<typeof visitorActor>[0]>
function visitor(seen: Seen = {}) {
  const reader = { organization, site: params.siteId, version: 9, spaces: Object.values(spaces), claims: {}, ...seen }
  const actor = visitorActor(reader)
  return busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
}
/** The titles of the spaces that are searched. */
async function searched(body: object, client: ReturnType<typeof visitor> = visitor()): Promise<string[]> {
  const page = await client.searchSiteContent({ params, body: { query: 'x', ...body } as never })
  expect(schemas.validateReply('searchSiteContent', 200, page)).toEqual([])
  return page.items.map(({ title }) => title.replace(' with x', ''))
}
const all = { scope: { mode: 'all' } }

it('a search that is prepared gives what any search gives, and only for who may search', async () => {
  const prepared = await visitor().prewarmSiteSearch({ params })
  expect(prepared).toBeUndefined()
  expect(await searched(all)).toEqual(['Manual', 'Beta', 'Next'])
  const outsider = publishing.as(undefined)
  await expect(outsider.prewarmSiteSearch({ params })).rejects.toMatchObject({ code: 'not_found' })
})

async function read<Event>(events: Promise<AsyncIterable<Event>>): Promise<Event[]> {
  const all: Event[] = []
  for await (const event of await events) all.push(event)
  return all
}

describe('a question', () => {
  const ask = (client: ReturnType<typeof visitor>, scope: object = all.scope) =>
    read(client.streamAskInSite({ params, body: { question: 'Why?', scope, context: { goal: 'To know' } } as never }))
  const setAI = async (ai: object) => {
    const settings = await creator().getSiteCustomizationById({ params })
    await creator().updateSiteCustomizationById({ params, body: { ...settings, ai } as never })
  }

  it('is asked about the spaces that its asker sees, with the instructions of the site', async () => {
    await setAI({ mode: 'search', instructions: 'Be kind' })
    const [event] = await ask(visitor())
    expect(schemas.validateReply('streamAskInSite', 200, event)).toEqual([])
    const { markdown } = event?.answer.answer as { markdown: string }
    expect(JSON.parse(markdown)).toEqual({
      organization,
      spaces: [spaces.Manual, spaces.Beta, spaces.Next],
      question: 'Why?',
      format: 'document',
      goal: 'To know',
      instructions: 'Be kind',
    })
    const hidden = ask(visitor(), { mode: 'specific', siteSpaceIds: [siteSpaces.Closed] })
    await expect(hidden).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask(publishing.as(undefined))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('may be answered with the MCP servers whose condition its asker meets', async () => {
    await setAI({ mode: 'assistant' })
    const server = { url: 'https://mcp.test/mcp', transport: 'http' as const, headers: { 'X-Key': 'secret' } }
    await creator().createSiteMcpServer({ params, body: { name: 'All', ...server } })
    const condition = 'visitor.claims.plan == "pro"'
    await creator().createSiteMcpServer({ params, body: { name: 'Pro', ...server, condition } })
    const servers = async (client: ReturnType<typeof visitor>) => {
      const [event] = await ask(client)
      const { markdown } = event?.answer.answer as { markdown: string }
      return (JSON.parse(markdown) as { servers: { name: string }[] }).servers
    }
    expect(await servers(visitor({ claims: { plan: 'pro' } }))).toEqual([
      { name: 'All', ...server },
      { name: 'Pro', ...server },
    ])
    for (const client of [visitor(), publishing.as('read')])
      expect((await servers(client)).map(({ name }) => name)).toEqual(['All'])
  })

  it('is refused where the site has not switched answers on', async () => {
    const failure = { code: 'conflict', message: expect.stringContaining('ai.mode') }
    await expect(ask(visitor())).rejects.toMatchObject(failure)
    await expect(read(visitor().streamRecommendedQuestionsInSite({ params }))).rejects.toMatchObject(failure)
  })

  it('is recommended by the site, else from the spaces that a visitor sees', async () => {
    const recommended = async (query: object = {}) => {
      const events = await read(visitor().streamRecommendedQuestionsInSite({ params, query }))
      const faults = events.flatMap(event => schemas.validateReply('streamRecommendedQuestionsInSite', 200, event))
      expect(faults).toEqual([])
      return events.map(({ question }) => question)
    }
    await setAI({ mode: 'search' })
    expect(await recommended()).toEqual([spaces.Manual, spaces.Beta, spaces.Next])
    expect(await recommended({ siteSpaceId: siteSpaces.Beta })).toEqual([spaces.Beta])
    for (const query of [{ siteSpaceId: siteSpaces.Closed }, { spaceId: spaces.Closed }])
      await expect(recommended(query)).rejects.toMatchObject({ code: 'not_found' })
    await setAI({ mode: 'search', suggestions: ['Why is it so?'] })
    expect(await recommended()).toEqual(['Why is it so?'])
  })
})

it('a search that is restricted names the current space', async () => {
  const restricted = searched({ scope: { mode: 'default', restrictTo: 'currentSiteSpace' } })
  await expect(restricted).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'body.scope.currentSiteSpace', message: 'must be given with restrictTo' }],
  })
})

describe('a search is about', () => {
  it.each<[string, () => object, Name[]]>([
    ['all spaces that the visitor sees', () => all, ['Manual', 'Beta', 'Next']],
    ['the default spaces', () => ({ scope: { mode: 'default' } }), ['Manual', 'Beta']],
    [
      'the current space in its section',
      () => ({ scope: { mode: 'default', currentSiteSpace: siteSpaces.Next } }),
      ['Manual', 'Next'],
    ],
    [
      'the current space alone',
      () => ({ scope: { mode: 'default', currentSiteSpace: siteSpaces.Next, restrictTo: 'currentSiteSpace' } }),
      ['Next'],
    ],
    [
      'all default spaces but the current one',
      () => ({ scope: { mode: 'default', currentSiteSpace: siteSpaces.Beta, restrictTo: 'otherSiteSpaces' } }),
      ['Manual'],
    ],
    [
      'default spaces and others',
      () => ({ scope: { mode: 'default', includedSiteSpaces: [siteSpaces.Next] } }),
      ['Manual', 'Beta', 'Next'],
    ],
    [
      'the named spaces',
      () => ({ scope: { mode: 'specific', siteSpaceIds: [siteSpaces.Next, siteSpaces.Closed] } }),
      ['Next'],
    ],
    ['no space', () => ({ scope: { mode: 'specific', siteSpaceIds: [] } }), []],
    ['all, in the older form', () => ({ mode: 'all' }), ['Manual', 'Beta', 'Next']],
    ['the current one, in the older form', () => ({ mode: 'current', siteSpaceId: siteSpaces.Next }), ['Next']],
    ['the named ones, in the older form', () => ({ mode: 'specific', siteSpaceIds: [siteSpaces.Beta] }), ['Beta']],
    ['the named ones, without a mode', () => ({ siteSpaceIds: [siteSpaces.Beta] }), ['Beta']],
  ])('%s', async (_what, body, expected) => expect((await searched(body())).toSorted()).toEqual(expected.toSorted()))

  it('what the claims let through, and each space once', async () => {
    const tester = visitor({ claims: { beta: true } })
    expect(await searched(all, tester)).toContain('Closed')
    expect(await searched({ mode: 'current', siteSpaceId: siteSpaces.Closed }, tester)).toEqual(['Closed'])
    expect(await searched(all, visitor({ claims: { beta: true }, spaces: [spaces.Closed] }))).toEqual(['Closed'])
    await creator().addSectionToSite({ params, body: { spaceId: spaces.Manual, title: 'Again' } })
    expect((await searched(all)).filter(title => title === 'Manual')).toHaveLength(1)
  })

  it('what members can read', async () => {
    publishing.content.setRole(spaces.Beta, 'a-read', null)
    expect((await searched(all, publishing.as('read'))).toSorted()).toEqual(['Closed', 'Manual', 'Next'])
  })
})

describe('a search is refused', () => {
  it.each<[string, () => object]>([
    ['siteSpaceId', () => ({ mode: 'current', siteSpaceId: siteSpaces.Closed })],
    ['siteSpaceId', () => ({ mode: 'current', siteSpaceId: 'nothing' })],
    ['siteSpaceIds', () => ({ siteSpaceIds: ['nothing'] })],
    ['scope.siteSpaceIds', () => ({ scope: { mode: 'specific', siteSpaceIds: [siteSpaces.Closed] } })],
    ['scope.currentSiteSpace', () => ({ scope: { mode: 'default', currentSiteSpace: 'nothing' } })],
    ['scope.includedSiteSpaces', () => ({ scope: { mode: 'default', includedSiteSpaces: ['nothing'] } })],
  ])('alike for %s that is hidden and that is unknown', async (field, body) => {
    await expect(searched(body())).rejects.toMatchObject({
      code: 'not_found',
      message: `body.${field}: is no space of the site`,
    })
  })

  it.each<[string, object]>([
    ['scope', {}],
    ['scope', { ...all, mode: 'all' }],
    ['scope', { siteSpaceId: 'x' }],
    ['scope.mode', { scope: { mode: 'some' } }],
    ['scope.siteSpaceIds', { scope: { mode: 'specific' } }],
    ['siteSpaceId', { mode: 'current' }],
    ['siteSpaceIds', { mode: 'specific' }],
    ['mode', { mode: 'default' }],
    ['query', { ...all, query: '' }],
    ['query', { ...all, query: 'x'.repeat(513) }],
    ['siteSpaceIds', { siteSpaceIds: Array.from({ length: 251 }, () => 'x') }],
  ])('for its %s: %j', async (field, body) => {
    await expect(searched(body)).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path: `body.${field}` })]),
    })
  })

  it('to visitors of other sites, to outsiders and guests, and while the site is not published', async () => {
    const missing = { code: 'not_found' }
    for (const client of [visitor({ site: 'another' }), publishing.as(undefined), publishing.as(null)])
      await expect(searched(all, client)).rejects.toMatchObject(missing)
    await creator().unpublishSite({ params })
    for (const client of [visitor(), creator()]) await expect(searched(all, client)).rejects.toMatchObject(missing)
    expect(await searched(all, visitor({ previews: true }))).toHaveLength(3)
  })

  it('without content', async () => {
    await publishing.content.stop()
    await expect(searched(all)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
