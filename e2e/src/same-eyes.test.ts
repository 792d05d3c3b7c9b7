import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aChatEngine,
  aGitServer,
  type ChatEngine,
  eventually,
  type GitServer,
  type TestRepository,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sameEyesCases, testSeed } from './config.ts'
import { anOrganization, sendRaw, type Person } from './people.ts'
import { type PageModel, seenIn, wordsIn } from './same-eyes/content.ts'
import { type Random, randomFrom } from './same-eyes/random.ts'
import { asAdmin, buildSite, type BuiltSite, type BuiltSpace, type Tools } from './same-eyes/site.ts'
import {
  askReader,
  readApi,
  readMcp,
  readReader,
  type Reply,
  searchReader,
  visit,
  type Visitor,
  visitorRows,
} from './same-eyes/surfaces.ts'
import pMap from 'p-map'
import { readerOf } from './shared-stack.ts'
import { absentEngine, removeData, type Stack, startStack } from './stack.ts'

let stack: Stack
let git: GitServer
/** Shows whatever it was given. */
let engine: ChatEngine
let admin: Person
let organizationId: string
let reader: string
let signingSecret: string
const served: Record<string, string> = {}
const made: TestRepository[] = []

beforeAll(async () => {
  git = await aGitServer({ repositories: served })
  engine = await aChatEngine()
  engine.mode = 'echoes'
  const limitsOfAsk = ['ASK_MAX_ANSWER', 'ASK_MAX_QUESTIONS', 'ASK_CONCURRENCY', 'ASK_MAX_TOKENS']
  const rates = ['REFUSAL_LIMIT', 'RATE_LIMIT', 'VISITOR_RATE_LIMIT', 'READER_MCP_RATE', 'READER_ASK_RATE']
  const limits = Object.fromEntries([...rates, ...limitsOfAsk].map(name => [name, '1000000']))
  const asking = { ASK_ENGINE_URL: engine.url, ASK_ENGINE_MODEL: 'a-model', ASK_MAX_TOKENS: '2000000000' }
  stack = await startStack({
    env: { ...limits, ...asking, ...absentEngine, READER_PORT: '0', OUTGOING_ALLOW: '127.0.0.1' },
  })
  reader = readerOf(stack)
  signingSecret = (JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as { signingSecret: string })
    .signingSecret
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
})
afterAll(async () => {
  await stack.stop()
  await engine.stop()
  await git.stop()
  await Promise.all(made.map(repository => repository.remove()))
  await removeData(stack.dataDir)
})

/** The words that a visitor may see, by where they must stand, and all others. */
function expectations(site: BuiltSite, held: ReadonlySet<string>) {
  const html = new Set<string>()
  const markdown = new Set<string>()
  const search = new Set<string>()
  const allowed = new Set<string>()
  const visibleSpaces = site.spaces.filter(({ conditions }) => holds(conditions, held))
  for (const { model, title } of visibleSpaces) {
    const seen = seenIn(model, held)
    addAll(html, seen.pages)
    addAll(markdown, seen.pages)
    addAll(html, seen.titles)
    addAll(search, seen.search)
    addAll(allowed, seen.unlisted)
    addAll(html, seen.files)
    addAll(
      allowed,
      [...seen.files].map(file => model.files[file] ?? ''),
    )
    addAll(
      allowed,
      [...seen.specs].flatMap(spec => [spec, site.specs[spec] ?? '']),
    )
    for (const { title, pieces } of Object.values(model.reusable))
      if (pieces.some(({ word }) => word !== undefined && seen.pages.has(word))) allowed.add(title)
    allowed.add(title)
  }
  for (const { word, visibleBy } of site.titles)
    if (visibleBy.some(conditions => holds(conditions, held))) html.add(word)
  addAll(allowed, [...html, ...markdown, ...search])
  const all = [
    ...site.spaces.flatMap(everWordsOf),
    ...site.titles.map(({ word }) => word),
    ...Object.entries(site.specs).flat(),
  ]
  return { html, markdown, search, visibleSpaces, forbidden: all.filter(word => !allowed.has(word)) }
}

/**
 * The words that a visitor may not see in anything, with a token that lived while main content had others: what conditions hide now, what
 * nothing that they saw referred to, and what main content never had.
 */
function forbiddenForever(site: BuiltSite, held: ReadonlySet<string>): string[] {
  const { forbidden, visibleSpaces } = expectations(site, held)
  const referredTo = new Set(
    visibleSpaces.flatMap(({ model, before }) =>
      before.flatMap(past => {
        const seen = seenIn(past, held)
        const groups = model.pages.filter(
          ({ type, condition = [] }) => type === 'group' && holds([condition].flat(), held),
        )
        const titles = groups.flatMap(({ title }) =>
          seen.titles.has(title) || seen.unlisted.has(title) ? [title] : [],
        )
        const reusable = Object.values(model.reusable).flatMap(({ title, pieces }) => [
          title,
          ...pieces.map(({ word }) => word),
        ])
        const files = [...seen.files].flatMap(name => [name, model.files[name]])
        const specs = [...seen.specs].flatMap(slug => [slug, site.specs[slug]])
        return [
          ...titles,
          ...files,
          ...specs,
          ...reusable.filter(word => word !== undefined && seen.pages.has(word)),
          ...reusableTitles(model),
        ]
      }),
    ),
  )
  const former = new Set(visibleSpaces.flatMap(space => [...space.former]))
  return forbidden.filter(word => !referredTo.has(word) && !former.has(word))
}

/** Ids of revisions that main content is not at: of its history, and of change requests. */
const historyOf = ({ spaces }: BuiltSite) =>
  spaces.flatMap(({ ids, revision }) => [...ids.revisionId].filter(id => id !== revision))

const reusableTitles = ({ reusable }: BuiltSpace['model']) => Object.values(reusable).map(({ title }) => title)
const addAll = (to: Set<string>, words: Iterable<string>) => [...words].forEach(word => to.add(word))
const everWordsOf = ({ model, title, former, proposed }: BuiltSpace) => [
  title,
  ...wordsIn(model),
  ...former,
  ...proposed,
]

/** Fails with the replies that hold a word. */
function expectNone(replies: readonly Reply[], words: readonly string[], about: object): void {
  const leaks = replies.flatMap(({ from, status, text }) => {
    // The words of a request may be repeated: the address of a missing page, the query of a search.
    const held = words.filter(word => word !== '' && text.includes(word) && !from.includes(word))
    return held.length > 0 ? [{ from, status, words: held.slice(0, 3), near: near(text, held[0] ?? '') }] : []
  })
  expect({ ...about, leaks: leaks.slice(0, 5) }).toEqual({ ...about, leaks: [] })
}

const near = (text: string, word: string) => text.slice(Math.max(0, text.indexOf(word) - 120), text.indexOf(word) + 40)
const missingOf = (words: Iterable<string>, text: string) => [...words].filter(word => !text.includes(word))

/** Where a word stands in the model of a site. */
const placeOf = (site: BuiltSite, word: string): string => {
  const text = JSON.stringify(site.spaces.map(({ model, conditions, path }) => ({ path, conditions, ...model })))
  return text.slice(Math.max(0, text.indexOf(word) - 300), text.indexOf(word) + 100)
}

/** Everything that a visitor sees of a site, held against the model. */
async function check(
  tools: Tools,
  site: BuiltSite,
  { visitor, random }: { visitor: Visitor; random: Random },
): Promise<void> {
  const expected = expectations(site, visitor.held)
  const { html, markdown, search, forbidden } = expected
  const about = { seed: testSeed, visitor: [...visitor.held] }
  const view = await readReader(reader, site, { visitor, random })
  expectNone(view.replies, forbidden, about)
  expect({ ...about, missing: missingOf(html, view.html).map(word => placeOf(site, word)) }).toEqual({
    ...about,
    missing: [],
  })
  expect({ ...about, missing: missingOf(markdown, view.markdown) }).toEqual({ ...about, missing: [] })
  await checkMcp(site, { visitor, random }, { ...expected, about })
  const words = [...forbidden, ...search]
  const answers = await askReader(reader, site, { visitor, random, words })
  expectNone(answers, forbidden, { ...about, through: 'questions' })
  // An answer, or the link to the search of one that no page has.
  expect(answers.filter(({ status, text }) => status === 200 && /page-body|search\?q=/.test(text))).not.toEqual([])
  const current = await readApi(tools, site, { token: visitor.freshToken, random, words })
  expectNone(current, [...forbidden, ...historyOf(site)], { ...about, token: 'fresh' })
  expect(
    new Set(current.filter(({ status }) => status === 200).map(({ from }) => from.split('/')[1])).size,
  ).toBeGreaterThan(1)
  const former = await readApi(tools, site, { token: visitor.token, random, words })
  expectNone(former, forbiddenForever(site, visitor.held), { ...about, token: 'old' })
  await checkSearch(site, visitor, forbidden)
}

/** The agent of a visitor reads the pages that the visitor reads, lists those that the navigation shows, and finds nothing else. */
async function checkMcp(
  site: BuiltSite,
  { visitor, random }: { visitor: Visitor; random: Random },
  { markdown, forbidden, about }: { markdown: Set<string>; forbidden: string[]; about: object },
): Promise<void> {
  const { lists, pages, searches } = await readMcp(reader, site, { visitor, random, words: forbidden })
  expectNone([...lists, ...pages, ...searches], forbidden, { ...about, through: 'mcp' })
  expect(new Set([...lists, ...pages, ...searches].map(({ status }) => status))).toEqual(new Set([200]))
  const textOf = (replies: Reply[]) => replies.map(({ text }) => text).join('\n')
  expect({ ...about, missing: missingOf(markdown, textOf(pages)).map(word => placeOf(site, word)) }).toEqual({
    ...about,
    missing: [],
  })
  const hidden = site.spaces.flatMap(({ model }) => hiddenTitles(model.pages, false))
  expectNone(lists, hidden, { ...about, through: 'lists of mcp' })
}

/** The titles of hidden pages, and of all that are below them. */
function hiddenTitles(pages: readonly PageModel[], isBelow: boolean): string[] {
  return pages.flatMap(({ title, hidden = false, pages: below }) => {
    const isHidden = isBelow || hidden
    return [...(isHidden ? [title] : []), ...hiddenTitles(below, isHidden)]
  })
}

/** Each word that is to be found is found from its space, and no result has a forbidden one. */
async function checkSearch(site: BuiltSite, visitor: Visitor, forbidden: string[]): Promise<void> {
  for (const space of site.spaces.filter(({ conditions }) => holds(conditions, visitor.held))) {
    const words = [...seenIn(space.model, visitor.held).search]
    const replies = await pMap(words, word => searchReader({ reader, site, space }, visitor, word), { concurrency: 8 })
    const missing = replies.filter(({ text }) => !/"(?:id|url|href|path)"/.test(text))
    const about = { seed: testSeed, visitor: [...visitor.held], space: space.id }
    expect({ ...about, missing }).toEqual({ ...about, missing: [] })
    expectNone(replies, forbidden, about)
  }
}

const holds = (conditions: string[], held: ReadonlySet<string>) =>
  conditions.every(each => held.has(each.replace('visitor.claims.', '')))

/** Waits until the search knows the last words of all spaces. */
async function untilSearchable(site: BuiltSite): Promise<void> {
  for (const { id, marker } of site.spaces)
    await eventually(async () => {
      const { body } = await sendRaw(stack.url, admin, { method: 'GET', path: `/spaces/${id}/search?query=${marker}` })
      expect(body).toMatchObject({ items: [expect.anything()] })
    })
}

/** The claims of two visitors of each site. */
const pairs = [
  [[], ['alpha']],
  [['beta'], ['alpha', 'beta']],
  [[], ['alpha', 'beta']],
  [['alpha'], ['beta']],
]

/** Sites that are checked at a time. */
const together = 2
const batches = Array.from({ length: Math.ceil(sameEyesCases / together) }, (_, at) => at * together)

it('Visitors may call operations to check', () => {
  expect(visitorRows.length).toBeGreaterThan(15)
})

it.each(batches)(
  'a visitor sees what is published to them, and nothing else, on every surface (from site %d)',
  async first => {
    const tools: Tools = { stack, admin, organizationId, git, served, made }
    const before = engine.prompts.length
    const size = Math.min(together, sameEyesCases - first)
    await Promise.all(Array.from({ length: size }, (_, at) => checkSite(tools, randomFrom(testSeed + first + at))))
    expect(engine.prompts.length - before).toBeGreaterThan(size)
  },
)

async function checkSite(tools: Tools, random: Random): Promise<void> {
  const site = await buildSite(tools, random)
  await allowAnswers(tools, site)
  await untilSearchable(site)
  const visitors: Visitor[] = []
  for (const held of random.of(pairs)) visitors.push(await visit(tools, site, held, signingSecret))
  for (const visitor of visitors) await check(tools, site, { visitor, random })
  await checkClosing(tools, site, visitors, random)
}

/** Lets a site answer questions. */
async function allowAnswers(tools: Tools, { siteId }: BuiltSite): Promise<void> {
  const path = `/orgs/${organizationId}/sites/${siteId}/customization`
  const settings = (await asAdmin(tools, 'GET', path)) as object
  await asAdmin(tools, 'PUT', path, { ...settings, ai: { mode: 'search' } })
}

const closings: Record<string, (tools: Tools, site: string) => Promise<unknown>> = {
  unpublished: (tools, site) => asAdmin(tools, 'POST', `${site}/unpublish`),
  deleted: (tools, site) => asAdmin(tools, 'DELETE', site),
  shared: (tools, site) => asAdmin(tools, 'PATCH', site, { visibility: 'share-link' }),
}

/** After a closing, no token, no download and no page of the site has a word of it. */
async function checkClosing(tools: Tools, site: BuiltSite, visitors: Visitor[], random: Random): Promise<void> {
  const downloads = await Promise.all(visitors.map(visitor => downloadsOf(site, visitor)))
  const way = random.of(Object.keys(closings))
  await closings[way]?.(tools, `/orgs/${organizationId}/sites/${site.siteId}`)
  const words = [...site.spaces.flatMap(everWordsOf), ...site.titles.map(({ word }) => word)]
  const about = { seed: testSeed, way }
  for (const [at, visitor] of visitors.entries()) {
    const replies = await readApi(tools, site, { token: visitor.token, random, words: words.slice(0, 1), max: 1 })
    expect(replies.filter(({ status }) => status !== 401)).toEqual([])
    await eventually(async () => {
      const answers = await Promise.all((downloads[at] ?? []).map(async url => (await fetch(url)).status))
      expect(answers.filter(status => status < 400)).toEqual([])
    })
    await eventually(async () =>
      expectNone((await readReader(reader, site, { visitor, random })).replies, words, about),
    )
    const { lists, pages, searches } = await readMcp(reader, site, { visitor, random, words: words.slice(0, 1) })
    expect([...lists, ...pages, ...searches].filter(({ status }) => status < 400)).toEqual([])
    expectNone(await askReader(reader, site, { visitor, random, words: words.slice(0, 1) }), words, about)
  }
}

/** The addresses of all files that a visitor sees. */
async function downloadsOf(site: BuiltSite, { token }: Visitor): Promise<string[]> {
  const urls = await Promise.all(
    site.spaces.map(async ({ id }) => {
      const space = await sendRaw(stack.url, { token }, { method: 'GET', path: `/spaces/${id}` })
      const { revision } = space.body as { revision?: string }
      const { body } = await sendRaw(
        stack.url,
        { token },
        { method: 'GET', path: `/spaces/${id}/revisions/${revision}/files` },
      )
      return ((body as { items?: { downloadURL: string }[] }).items ?? []).map(({ downloadURL }) => downloadURL)
    }),
  )
  return urls.flat()
}
