import { aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { sendOk, type Person } from '../people.ts'
import type { Stack } from '../stack.ts'
import { importRepository } from '../walk.ts'
import { makeSpace, markdownOf, type PageModel, repositoryOf, type SpaceModel, wordsIn } from './content.ts'
import type { Random } from './random.ts'

/** A space of a site with its model, and every id that it has or had. */
export interface BuiltSpace {
  id: string
  title: string
  /** The condition of the site space, and of the section that it is in. */
  conditions: string[]
  model: SpaceModel
  /** Main content before each edit. */
  before: SpaceModel[]
  /** The word that was written last: what finds it knows all others. */
  marker: string
  /** Words that main content had, and that no audience sees any more. */
  former: Set<string>
  /** Words that main content never had. */
  proposed: Set<string>
  /** Where the site publishes it, below the site. */
  path: string
  /** The revision that main content is at. */
  revision: string
  ids: Record<
    'revisionId' | 'pageId' | 'fileId' | 'reusableContentId' | 'documentId' | 'changeRequestId' | 'pagePath',
    Set<string>
  >
}

/** A published site with its model. */
export interface BuiltSite {
  siteId: string
  name: string
  address: string
  privateKey: string
  spaces: BuiltSpace[]
  /** Titles of sections and groups, with the conditions of the spaces by which they are visible. */
  titles: { word: string; visibleBy: string[][] }[]
  specs: Record<string, string>
}

export interface Tools {
  stack: Stack
  admin: Person
  organizationId: string
  git: GitServer
  /** The repositories of the git server, by name. */
  served: Record<string, string>
  made: TestRepository[]
}

const idNames = [
  'revisionId',
  'pageId',
  'fileId',
  'reusableContentId',
  'documentId',
  'changeRequestId',
  'pagePath',
] as const

interface Listed {
  id: string
  title: string
  type: string
  path?: string
  documentId?: string
  pages?: Listed[]
}
interface Revision {
  id: string
  pages: Listed[]
  files: { id: string; name: string }[]
  reusableContents: { id: string; document: string }[]
}

const flat = (pages: Listed[]): Listed[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
const pagesOf = (pages: PageModel[]): PageModel[] => pages.flatMap(page => [page, ...pagesOf(page.pages)])

/** Sends a request as the admin of the organization. */
export function asAdmin<Reply = unknown>({ stack, admin }: Tools, method: string, path: string, body?: unknown) {
  return sendOk<Reply>(stack, admin, { method, path, ...(body !== undefined && { body }) })
}

/** Notes the ids of a revision of a space. */
async function note(tools: Tools, space: BuiltSpace, path = ''): Promise<Revision> {
  const revision = await asAdmin<Revision>(tools, 'GET', `/spaces/${space.id}${path}/content`)
  const { ids } = space
  ids.revisionId.add(revision.id)
  for (const page of flat(revision.pages)) {
    ids.pageId.add(page.id)
    if (page.path) ids.pagePath.add(page.path)
    if (page.documentId) ids.documentId.add(page.documentId)
  }
  for (const { id } of revision.files) ids.fileId.add(id)
  for (const { id, document } of revision.reusableContents) {
    ids.reusableContentId.add(id)
    ids.documentId.add(document)
  }
  return revision
}

async function buildSpace(tools: Tools, random: Random, specs: string[]): Promise<BuiltSpace> {
  const title = random.word()
  const path = `/orgs/${tools.organizationId}/spaces`
  const { id } = await asAdmin<{ id: string }>(tools, 'POST', path, { title })
  const model = makeSpace(random, specs)
  const repository = await aRepository({ files: repositoryOf(model) })
  tools.made.push(repository)
  tools.served[id] = repository.path
  const operation = await importRepository({ client: tools.admin.client }, id, tools.git.url(id))
  if (operation.state !== 'success') throw new Error(JSON.stringify(operation))
  const ids = Object.fromEntries(idNames.map(name => [name, new Set<string>()])) as BuiltSpace['ids']
  const space = {
    id,
    title,
    model,
    ids,
    conditions: [],
    before: [],
    marker: '',
    former: new Set<string>(),
    proposed: new Set<string>(),
    path: '',
    revision: '',
  }
  await note(tools, space)
  return space
}

type Edit = (
  space: BuiltSpace,
  find: (word: string) => Listed,
  change: (changes: object[]) => Promise<unknown>,
) => Promise<void>

/** Proposes a page of two words in a change request. */
async function propose(tools: Tools, random: Random, space: BuiltSpace) {
  const words = [random.word(), random.word()]
  const { id, number } = await asAdmin<{ id: string; number: number }>(
    tools,
    'POST',
    `/spaces/${space.id}/change-requests`,
    {},
  )
  space.ids.changeRequestId.add(id).add(String(number))
  const changes = [
    { operation: 'insert_page', title: words[0], document: { markdown: `# ${words[0]}\n\n${words[1]}` } },
  ]
  await asAdmin(tools, 'POST', `/spaces/${space.id}/change-requests/${id}/content`, { changes })
  await note(tools, space, `/change-requests/${id}`)
  return { id, words }
}

/** The edits of content: text is replaced, pages are deleted, hidden and proposed. */
function edits(tools: Tools, random: Random): Record<string, Edit> {
  const documents = (space: BuiltSpace) =>
    pagesOf(space.model.pages).filter(({ type, name }) => type === 'document' && name !== 'README')
  const forget = (space: BuiltSpace, before: string[]) => {
    const now = new Set(wordsIn(space.model))
    for (const word of before) if (!now.has(word)) space.former.add(word)
  }
  const proposal = (space: BuiltSpace) => propose(tools, random, space)
  return {
    async rewrite(space, find, change) {
      const page = random.of(documents(space))
      const before = wordsIn(space.model)
      const hidden = page.pieces.filter(({ word }) => word !== undefined).slice(0, 1)
      const pieces = hidden.map(piece => ({ ...piece, conditions: [random.condition()] }))
      page.pieces = [{ conditions: [], word: random.word() }, ...pieces]
      const document = { markdown: `# ${page.title}\n\n${markdownOf(page.pieces, '')}` }
      await change([{ operation: 'update_page', page: find(page.title).id, document }])
      forget(space, before)
    },
    async drop(space, find, change) {
      const page = random.of(documents(space))
      const before = wordsIn(space.model)
      const without = (pages: PageModel[]): PageModel[] =>
        pages.filter(one => one !== page).map(one => Object.assign(one, { pages: without(one.pages) }))
      await change([{ operation: 'delete_page', page: find(page.title).id }])
      space.model.pages = without(space.model.pages)
      forget(space, before)
    },
    async hide(space, find, change) {
      const page = random.of(pagesOf(space.model.pages).filter(({ name }) => name !== 'README'))
      page.condition = random.condition()
      await change([{ operation: 'update_page', page: find(page.title).id, condition: page.condition }])
    },
    async open(space, find, change) {
      const page = random.of(documents(space))
      page.condition = undefined
      await change([{ operation: 'update_page', page: find(page.title).id, condition: null }])
    },
    async propose(space) {
      for (const word of (await proposal(space)).words) space.proposed.add(word)
    },
    async merge(space) {
      const { id, words } = await proposal(space)
      const [title = '', text = ''] = words
      await asAdmin(tools, 'POST', `/spaces/${space.id}/change-requests/${id}/merge`)
      space.model.pages.push({
        type: 'document',
        name: title,
        title,
        pieces: [{ conditions: [], word: text }],
        pages: [],
      })
    },
  }
}

async function edit(tools: Tools, random: Random, space: BuiltSpace): Promise<void> {
  const all = edits(tools, random)
  for (const name of Array.from({ length: 3 }, () => random.of(Object.keys(all)))) {
    const pages = flat((await note(tools, space)).pages)
    space.before.push(structuredClone(space.model))
    const find = (word: string) => pages.find(({ title }) => title === word) ?? { id: '', title: '', type: '' }
    await all[name]?.(space, find, changes => asAdmin(tools, 'POST', `/spaces/${space.id}/content`, { changes }))
  }
  const title = random.word()
  const text = random.word()
  const marker: PageModel = {
    type: 'document',
    name: title,
    title,
    pieces: [{ conditions: [], word: text }],
    pages: [],
  }
  const changes = [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n\n${text}` } }]
  await asAdmin(tools, 'POST', `/spaces/${space.id}/content`, { changes })
  space.model.pages.push(marker)
  space.marker = text
  space.revision = (await note(tools, space)).id
}

async function buildSpecs(tools: Tools, random: Random): Promise<Record<string, string>> {
  const specs: Record<string, string> = {}
  for (const _one of [1, 2]) {
    const slug = random.word()
    const word = random.word()
    const paths = { '/toys': { get: { summary: `Toys ${word}`, responses: { 200: { description: 'OK' } } } } }
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: `Api ${word}`, version: '1' }, paths })
    await asAdmin(tools, 'POST', `/orgs/${tools.organizationId}/openapi`, { slug, source: { text } })
    specs[slug] = word
  }
  return specs
}

/** Builds a site that visitors log in to, with its content and what became of it. */
export async function buildSite(tools: Tools, random: Random): Promise<BuiltSite> {
  const specs = await buildSpecs(tools, random)
  const spaces: BuiltSpace[] = []
  for (const _one of [1, 2, 3]) spaces.push(await buildSpace(tools, random, Object.keys(specs)))
  const [first, variant, second] = spaces as [BuiltSpace, BuiltSpace, BuiltSpace]
  const orgs = `/orgs/${tools.organizationId}/sites`
  const { id: siteId } = await asAdmin<{ id: string }>(tools, 'POST', orgs, { title: 'Docs', spaces: [first.id] })
  const site = `${orgs}/${siteId}`
  const titles = [random.word(), random.word()]
  type Section = { id: string }
  const two = await asAdmin<Section>(tools, 'POST', `${site}/sections`, { spaceId: second.id, title: titles[0] })
  await asAdmin(tools, 'POST', `${site}/section-groups`, { title: titles[1], sections: [two.id] })
  const added = await asAdmin<{ id: string }>(tools, 'POST', `${site}/site-spaces`, { spaceId: variant.id })
  const restrict = async (path: string, space: BuiltSpace) => {
    const condition = random.maybe(0.6, () => random.condition())
    if (condition === undefined) return
    await asAdmin(tools, 'PATCH', `${site}/${path}`, { condition })
    space.conditions.push(condition)
  }
  await restrict(`site-spaces/${added.id}`, variant)
  await restrict(`sections/${two.id}`, second)
  const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
  const { basename } = await asAdmin<{ basename: string }>(tools, 'PATCH', site, settings)
  const published = await asAdmin<{ urls: { published: string } }>(tools, 'POST', `${site}/publish`)
  const { privateKey } = await asAdmin<{ privateKey: string }>(tools, 'GET', `${site}/publishing/auth`)
  for (const space of spaces) await edit(tools, random, space)
  const all = await asAdmin<{ items: { space: { id: string }; urls: { published: string } }[] }>(
    tools,
    'GET',
    `${site}/site-spaces`,
  )
  for (const { space, urls } of all.items) {
    const built = spaces.find(({ id }) => id === space.id)
    if (built) built.path = new URL(urls.published).pathname
  }
  return {
    siteId,
    name: basename,
    address: published.urls.published,
    privateKey,
    spaces,
    specs,
    titles: titles.map(word => ({ word, visibleBy: [second.conditions] })),
  }
}
