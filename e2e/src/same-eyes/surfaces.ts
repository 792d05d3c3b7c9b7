import { signVisitorToken, visitorTokenKeys, visitorTokenWindow } from '@recto/actor/visitor-token'
import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { eventually } from '@recto/testing'
import pMap from 'p-map'
import { sameEyesRequests } from '../config.ts'
import { sendRaw } from '../people.ts'
import { mcpMessage, postMcp } from '../mcp-client.ts'
import { visitorJwt } from '../reader.ts'
import { ask } from '../reader-sites.ts'
import { askPath } from '../questions-to-sites.ts'
import type { Random } from './random.ts'
import type { BuiltSite, BuiltSpace, Tools } from './site.ts'

/** A visitor of a site. */
export interface Visitor {
  held: ReadonlySet<string>
  /** As their lookup gave it, valid since its window began. */
  token: string
  /** The same, valid since now. */
  freshToken: string
  cookie: string
}

/** One reply, as it came. */
export interface Reply {
  from: string
  status: number
  text: string
}

/** Requests at a time. */
const concurrency = 8

/** Looks a site up as a visitor who logged in with claims. */
export async function visit(
  tools: Tools,
  site: BuiltSite,
  held: readonly string[],
  signingSecret: string,
): Promise<Visitor> {
  const jwtToken = visitorJwt(site.privateKey, Object.fromEntries(held.map(name => [name, true])))
  const { status, body } = await sendRaw(tools.stack.url, undefined, {
    method: 'POST',
    path: '/urls/published',
    body: { url: site.address, visitor: { jwtToken } },
  })
  if (status !== 200) throw new Error(`lookup: ${status} ${JSON.stringify(body)}`)
  const { apiToken: token } = body as { apiToken: string }
  const { since: _since, ...payload } = payloadOf(token)
  // A window that no edit of the test can be near to.
  const now = Date.now() + 2 * visitorTokenWindow
  const issued = { visitor: payload as never, place: payload as never, now }
  const freshToken = await signVisitorToken(issued, visitorTokenKeys([signingSecret]))
  return { held: new Set(held), token, freshToken, cookie: `recto-visitor=${jwtToken}` }
}

function payloadOf(token: string): Record<string, unknown> {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}

const rows: [string, Operation][] = Object.values(api).flatMap(operations => Object.entries(operations))

/** The operations that a visitor's token may call, from the contract. */
export const visitorRows = rows.filter(([, { access }]) => access?.callers?.includes('visitor'))

const queries: Record<string, string[]> = {
  format: ['document', 'markdown'],
  evaluated: ['true', 'false', 'deterministic-only'],
  metadata: ['true', 'false'],
  computed: ['true', 'false'],
  dereferenced: ['true', 'false', 'reusable-contents'],
  'format.markdown.refs': ['relative', 'stable'],
  'format.markdown.base': ['https://docs.test/'],
}

/** Every id of a site that was ever seen, by the name of the parameter. */
function idsOf(tools: Tools, site: BuiltSite, space: BuiltSpace): Record<string, string[]> {
  const own = Object.entries(space.ids).map(([name, ids]): [string, string[]] => [name, [...ids]])
  return {
    ...Object.fromEntries(own),
    organizationId: [tools.organizationId],
    siteId: [site.siteId],
    spaceId: [space.id],
    specSlug: Object.keys(site.specs),
    versionId: ['latest'],
  }
}

/** The paths of an operation with all ids of a space; throws for a parameter of which no ids are known, so that a new operation is not left out. */
function pathsOf(path: string, ids: Record<string, string[]>): string[] {
  const [, name] = /\{(\w+)\}/.exec(path) ?? []
  if (name === undefined) return [path]
  const values = ids[name]
  if (!values) throw new Error(`No ids are known for {${name}} of ${path}: add them to idsOf`)
  return values.flatMap(value => pathsOf(path.replace(`{${name}}`, encodeURIComponent(value)), ids))
}

/** Bodies of operations that have one. */
function bodiesOf(operationId: string, site: BuiltSite, words: readonly string[]): unknown[] {
  const source = (spec: string) => ({
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec } } },
  })
  const bodies: Record<string, () => unknown[]> = {
    streamAskInSite: () => words.map(question => ({ question, scope: { mode: 'all' } })),
    searchSiteContent: () => words.map(query => ({ query, scope: { mode: 'all' } })),
    getComputedDocument: () =>
      Object.keys(site.specs).map(spec => ({ source: { ...source(spec), props: { page: 'overview' } }, seed: 'x' })),
    submitAgentFeedbackToSite: () => [
      { subject: { kind: 'generic' }, feedback: { category: 'usability', summary: 'Unclear' } },
    ],
    getComputedRevision: () => Object.keys(site.specs).map(spec => ({ source: source(spec), seed: 'x' })),
  }
  const make = bodies[operationId]
  if (!make) throw new Error(`No bodies are known for ${operationId}: add them to bodiesOf`)
  return make()
}

/** Calls all operations that a visitor's token may call, with every id that was ever seen. */
export async function readApi(
  tools: Tools,
  site: BuiltSite,
  {
    token,
    random,
    words,
    max = sameEyesRequests,
  }: { token: string; random: Random; words: readonly string[]; max?: number },
): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const [operationId, row] of visitorRows) {
    const { method, path } = routeOf(row) as { method: string; path: string }
    const paths = [...new Set(site.spaces.flatMap(space => pathsOf(path, idsOf(tools, site, space))))]
    const requests = some(random, paths, max).flatMap(each =>
      row.body
        ? some(random, bodiesOf(operationId, site, words), max).map(body => ({ path: each, body }))
        : [{ path: each }],
    )
    const queried = requests.map(sent => ({ ...sent, path: `${sent.path}?${queryOf(random, operationId, site)}` }))
    const read = async (sent: { path: string; body?: unknown }): Promise<Reply> => {
      const { status, body } = await sendRaw(tools.stack.url, { token }, { method, ...sent })
      // A refusal may name what the request asked for, and an engine that echoes repeats the question.
      const isRepeated = status >= 400 || operationId === 'streamAskInSite'
      const refused = isRepeated && sent.body !== undefined ? ` ${JSON.stringify(sent.body)}` : ''
      return { from: `${method} ${sent.path}${refused}`, status, text: JSON.stringify(body) }
    }
    replies.push(...(await pMap(queried, read, { concurrency })))
  }
  return replies
}

/** Operations that compare with another revision. */
const operationsSince = new Set(['listContentChanges', 'listRevisionDifferences', 'getRevisionPageDifference'])

function queryOf(random: Random, operationId: string, site: BuiltSite): string {
  const pairs = Object.entries(queries).flatMap(([name, values]) =>
    random.chance(0.5) ? [[name, random.of(values)]] : [],
  )
  if (operationId === 'getEmbedByUrlInSpace') pairs.push(['url', 'http://127.0.0.1:9/'])
  if (operationsSince.has(operationId))
    pairs.push(['since', random.of(site.spaces.flatMap(({ ids }) => [...ids.revisionId]))])
  if (operationId === 'getSiteRedirectBySource') {
    const paths = site.spaces.flatMap(({ ids }) => [...ids.pagePath])
    pairs.push(['source', `/${random.of(paths)}`])
  }
  return new URLSearchParams(pairs as [string, string][]).toString()
}

function some<Item>(random: Random, items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items]
  return Array.from({ length: max }, () => random.of(items))
}

/** The view of a visitor in the built-in reader. */
export interface ReaderView {
  /** The HTML of all visible pages; their Markdown is below. */
  html: string
  markdown: string
  replies: Reply[]
}

/** Reads all addresses of a site that there ever were, with everything that the built-in reader has besides. */
export async function readReader(
  reader: string,
  site: BuiltSite,
  { visitor: { cookie }, random }: { visitor: Pick<Visitor, 'cookie'>; random: Random },
): Promise<ReaderView> {
  const root = `${reader}/${site.name}`
  const get = async (path: string): Promise<Reply> => ({
    from: `reader ${path}`,
    ...(await askUntilAnswered(`${root}${path}`, cookie)),
  })
  const pages = site.spaces.flatMap(({ path, ids }) => [...ids.pagePath].map(page => `${path}${page}`))
  const besides = site.spaces.flatMap(space =>
    pathsBesides(space).flatMap(paths => some(random, paths, sameEyesRequests).map(path => `${space.path}${path}`)),
  )
  const roots = site.spaces.map(({ path }) => path.replace(/(.)\/$/, '$1'))
  const [html, markdown, others] = await Promise.all([
    pMap([...roots, ...pages], get, { concurrency }),
    pMap(
      pages.map(page => `${page}.md`),
      get,
      { concurrency },
    ),
    pMap(besides, get, { concurrency }),
  ])
  const textOf = (replies: Reply[]) => replies.flatMap(({ status, text }) => (status === 200 ? [text] : [])).join('\n')
  return { html: textOf(html), markdown: textOf(markdown), replies: [...html, ...markdown, ...others] }
}

/** Addresses of a space that show no page of it by its path, by kind. */
function pathsBesides({ ids, model }: BuiltSpace): string[][] {
  const fixed = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'sitemap-pages.xml', 'rss.xml', 'robots.txt']
  const numbers = [...ids.changeRequestId].filter(id => /^\d+$/.test(id)).map(id => `~/changes/${id}`)
  const revisions = [...ids.revisionId].map(id => `~/revisions/${id}`)
  const files = Object.keys(model.files).flatMap(name => [...ids.fileId].map(id => `~recto/files/${id}/${name}.txt`))
  return [fixed, numbers, revisions, files]
}

/** Asks on the page of questions of each space as a form of it does, and as its script does. */
export async function askReader(
  reader: string,
  site: BuiltSite,
  {
    visitor: { cookie },
    random,
    words,
  }: { visitor: Pick<Visitor, 'cookie'>; random: Random; words: readonly string[] },
): Promise<Reply[]> {
  const url = (path: string) => `${reader}/${site.name}${path}${askPath}`
  const pages = await pMap(site.spaces, async ({ path }) => ({
    from: `reader ${path}${askPath}`,
    ...(await askUntilAnswered(url(path), cookie)),
  }))
  const paths = site.spaces.map(({ path }) => path)
  const questions = some(random, words, sameEyesRequests).map((word, at) => ({
    word,
    path: paths[at % paths.length] ?? '',
  }))
  const answers = await pMap(
    questions,
    async ({ word, path }): Promise<Reply> => {
      const accept = random.of(['text/html', 'text/event-stream'])
      const headers = { cookie, accept, 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams({ q: word }).toString()
      const { status, text } = await ask(url(path), { method: 'POST', headers, body })
      return { from: `reader ${path}${askPath} ${word}`, status, text }
    },
    { concurrency },
  )
  return [...pages, ...answers]
}

/** Reads a site through its MCP server as an agent of the visitor: the lists of all spaces, and every address that there ever was. */
export async function readMcp(
  reader: string,
  site: BuiltSite,
  {
    visitor: { cookie },
    random,
    words,
  }: { visitor: Pick<Visitor, 'cookie'>; random: Random; words: readonly string[] },
): Promise<{ lists: Reply[]; pages: Reply[]; searches: Reply[] }> {
  const headers = { authorization: `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}` }
  const call = async (name: string, input: Record<string, string>): Promise<Reply> => {
    const body = mcpMessage('tools/call', { name, arguments: input })
    const { status, text } = await eventually(async () => {
      const answer = await postMcp(`${reader}/${site.name}/mcp`, body, headers)
      if (answer.status >= 500) throw new Error(answer.text)
      return answer
    })
    return { from: `mcp ${name} ${JSON.stringify(input)}`, status, text }
  }
  const addresses = site.spaces.flatMap(({ path, ids }) => [path, ...[...ids.pagePath].map(page => `${path}${page}`)])
  const former = site.spaces.flatMap(({ path, ids }) => [...ids.revisionId].map(id => `${path}~/revisions/${id}`))
  const revisions = some(random, former, sameEyesRequests)
  const each = (name: string, key: string, values: readonly string[]) =>
    pMap(values, value => call(name, { [key]: value }), { concurrency })
  const lists = await each('listPages', 'space', [...site.spaces.map(({ path }) => path), ...revisions])
  const pages = await each('getPage', 'address', [...addresses, ...revisions])
  const searches = await each('searchDocumentation', 'query', some(random, words, sameEyesRequests))
  const answers = await each('askQuestion', 'question', some(random, words, sameEyesRequests))
  return { lists, pages, searches: [...searches, ...answers] }
}

/** Searches a word in the built-in reader, from a space, as its script does. */
export async function searchReader(
  place: { reader: string; site: BuiltSite; space: BuiltSpace },
  { cookie }: Pick<Visitor, 'cookie'>,
  word: string,
): Promise<Reply> {
  const { reader, site, space } = place
  const url = `${reader}/${site.name}${space.path}~recto/search.json?q=${word}`
  return { from: `search ${word}`, ...(await askUntilAnswered(url, cookie)) }
}

/** Reads an address of the built-in reader, again while it is too busy to answer, as a visitor does who is asked to come back later. */
function askUntilAnswered(url: string, cookie: string): Promise<Omit<Reply, 'from'>> {
  return eventually(async () => {
    const { status, text } = await ask(url, { headers: { cookie } })
    if (status >= 500) throw new Error(`${url}: ${status} ${text}`)
    return { status, text }
  })
}
