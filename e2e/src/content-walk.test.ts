import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  content,
  computed,
  editing,
  embeds,
  history,
  imports,
  links,
  search,
  uploads,
  urls,
} from '@recto/contracts-content'
import { aDocx, aGitServer, aRepository, aZip, eventually, type GitServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { blocks } from './fixtures/blocks.ts'
import { manual } from './fixtures/manual.ts'
import { anOrganization, type Person } from './people.ts'
import { routeCalls } from './route-calls.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies, importRepository, linksOf, request, validReply } from './walk.ts'

const { checked, publishedOf } = checkedReplies()
const O = '/orgs/{organizationId}'
const S = '/spaces/{spaceId}'
const C = `${S}/content`
const R = `${S}/revisions/{revisionId}`

let stack: Installation
let git: GitServer
let web: Server
let organization: { id: string; admin: Person }
let repository: Awaited<ReturnType<typeof aRepository>>
let space: string
let revision: string
/** Ids by path. */
const pageIds = new Map<string, string>()

const sources: Record<string, string | Buffer> = {
  '/page.md': '# From Markdown\n\nText\n',
  '/page.html': '<main><h1>From HTML</h1><p>Text</p></main>',
  '/pages.zip': aZip({ 'README.md': '# From a zip file\n' }),
  '/page.docx': aDocx({ body: '<w:p><w:r><w:t>From Word</w:t></w:r></w:p>' }),
  '/site/': '<main><h1>From a website</h1><a href="more">more</a></main>',
  '/site/more': '<main><h1>More</h1></main>',
}

beforeAll(async () => {
  const summary = `${String(manual['SUMMARY.md'])}* [Blocks](blocks.md)\n`
  repository = await aRepository({ files: { ...manual, 'SUMMARY.md': summary, 'blocks.md': blocks } })
  git = await aGitServer({ repositories: { manual: repository.path } })
  web = createServer((request, response) => {
    const body = sources[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body)
  })
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  stack = await sharedStack()
  organization = await anOrganization(stack)
  space = (await client().orgs.createSpace(organization.id, { title: 'Manual' } as never)).data.id
  await importRepository(organization.admin, space, git.url('manual'))
  revision = (await client().spaces.getSpaceById(space)).data.revision
  await eventually(async () => expect((await linksOf(organization.admin, space)).data.stats.total).toBeGreaterThan(0))
})
afterAll(async () => {
  web.closeAllConnections()
  await Promise.all([new Promise(resolve => web.close(resolve)), git.stop()])
  await repository.remove()
})

const client = () => organization.admin.client
const spaces = () => client().spaces
const urlOf = (path: string) => `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`
/** Validates a document by the reply of the operation that answers nothing else. */
const validDocument = (document: unknown) => validReply('getDocumentById', { status: 200, data: document })
const document = { format: 'document' } as never

interface TreePage {
  id: string
  type: string
  path?: string
  pages?: TreePage[]
}
const flat = (pages: TreePage[]): TreePage[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])

describe('the published client reads main content', () => {
  it('as a revision, pages and files', async () => {
    expect(checked(`GET ${C}`, await spaces().getCurrentRevision(space))).toMatchObject({ id: revision })
    const { pages } = checked(`GET ${C}/pages`, await spaces().listPages(space))
    for (const page of flat(pages as TreePage[])) if (page.type === 'document') pageIds.set(page.path ?? '', page.id)
    expect([...pageIds.keys()]).toContain('reference/blocks')
    const { items } = checked(`GET ${C}/files`, await spaces().listFiles(space))
    const [file] = items
    expect(checked(`GET ${C}/files/{fileId}`, await spaces().getFileById(space, file?.id ?? ''))).toEqual(file)
  })

  it('by page in all forms, each a valid document', async () => {
    for (const [path, id] of pageIds) {
      const byId = checked(`GET ${C}/page/{pageId}`, await spaces().getPageById(space, id, document))
      const byPath = checked(`GET ${C}/path/{pagePath}`, await spaces().getPageByPath(space, path, document))
      expect(byPath).toEqual(byId)
      validDocument((byId as unknown as { document: unknown }).document)
      const evaluated = { format: 'document', evaluated: true } as never
      const { data: evaluatedPage } = await spaces().getPageById(space, id, evaluated)
      validDocument((evaluatedPage as unknown as { document: unknown }).document)
      const markdown = { format: 'markdown' } as never
      checked(`GET ${C}/page/{pageId}`, await spaces().getPageById(space, id, markdown))
      checked(`GET ${C}/path/{pagePath}`, await spaces().getPageByPath(space, path, markdown))
      const { documentId } = (await spaces().getPageById(space, id)).data as { documentId?: string }
      if (documentId === undefined) continue
      const documentReply = checked(
        `GET ${S}/documents/{documentId}`,
        await spaces().getDocumentById(space, documentId),
      )
      expect(documentReply).toMatchObject({ object: 'document' })
    }
  })

  it('by reusable content', async () => {
    const { data } = await spaces().getCurrentRevision(space)
    const id = data.reusableContents[0]?.id ?? ''
    const reply = checked(
      `GET ${C}/reusable-contents/{reusableContentId}`,
      await spaces().getReusableContentById(space, id),
    )
    expect(reply).toMatchObject({ id })
  })
})

describe('the published client reads a revision', () => {
  it('with its pages, files, reusable contents and documents', async () => {
    checked(`GET ${R}`, await spaces().getRevisionById(space, revision))
    checked(`GET ${R}/pages`, await spaces().listPagesInRevisionById(space, revision))
    const { items } = checked(`GET ${R}/files`, await spaces().listFilesInRevisionById(space, revision))
    checked(`GET ${R}/files/{fileId}`, await spaces().getFileInRevisionById(space, revision, items[0]?.id ?? ''))
    for (const [path, id] of pageIds) {
      const page = checked(
        `GET ${R}/page/{pageId}`,
        await spaces().getPageInRevisionById(space, revision, id, document),
      )
      validDocument((page as unknown as { document: unknown }).document)
      checked(`GET ${R}/path/{pagePath}`, await spaces().getPageInRevisionByPath(space, revision, path, document))
      checked(
        `GET ${R}/page/{pageId}/document`,
        await spaces().getPageDocumentInRevisionById(space, revision, id, { evaluated: true }),
      )
    }
    const reusable = (await spaces().getRevisionById(space, revision)).data.reusableContents[0]?.id ?? ''
    const path = `${R}/reusable-contents/{reusableContentId}`
    checked(`GET ${path}`, await spaces().getReusableContentInRevisionById(space, revision, reusable))
    checked(`GET ${path}/document`, await spaces().getReusableContentDocumentInRevisionById(space, revision, reusable))
  })

  it('with what it changed', async () => {
    const { changes } = checked(`GET ${R}/changes`, await spaces().getRevisionSemanticChanges(space, revision))
    expect(changes.length).toBeGreaterThan(5)
  })

  it('but none that is computed from a specification, while there are none', async () => {
    const dependencies = { spec: { ref: { kind: 'openapi' as const, spec: 'petstore' } } }
    const source = { type: 'builtin:openapi' as const, dependencies }
    const models = { source: { ...source, props: { doc: 'models' } }, seed: 'x' }
    const pages = { source: { ...source, props: { models: true } }, seed: 'x' }
    await expect(spaces().getComputedDocument(space, models as never)).rejects.toMatchObject({ code: 404 })
    await expect(spaces().getComputedRevision(space, pages as never)).rejects.toMatchObject({ code: 404 })
  })
})

describe('the published client finds', () => {
  it('words in a space and in an organization', async () => {
    const query = { query: 'quotation' }
    const inSpace = checked(`GET ${S}/search`, await spaces().searchSpaceContent(space, query))
    expect(inSpace.items).toMatchObject([{ title: 'Blocks' }])
    const everywhere = checked(`GET ${O}/search`, await client().orgs.searchOrganizationContent(organization.id, query))
    expect(everywhere.items).toMatchObject([{ id: space }])
  })

  it('links and backlinks', async () => {
    const [blocksId = '', guideId = ''] = ['reference/blocks', 'guide'].map(path => pageIds.get(path))
    const all = checked(`GET ${S}/links`, await spaces().listSpaceLinks(space, { limit: 1_000 }))
    expect(all.items.length).toBe(all.stats.total)
    for (const status of ['ok', 'broken', 'in-app'] as never[])
      checked(`GET ${S}/links`, await spaces().listSpaceLinks(space, { status }))
    const ofPage = checked(`GET ${C}/page/{pageId}/links`, await spaces().listPageLinksInSpace(space, blocksId))
    expect(ofPage.items.length).toBeGreaterThan(5)
    const back = checked(`GET ${C}/page/{pageId}/backlinks`, await spaces().listSpacePageBacklinks(space, guideId))
    expect(back.items.length).toBeGreaterThan(0)
    const { items: files } = (await spaces().listFiles(space)).data
    const used = files.find(({ name }) => name.endsWith('.gif'))?.id ?? ''
    const ofFile = checked(`GET ${C}/files/{fileId}/backlinks`, await spaces().listSpaceFileBacklinks(space, used))
    expect(ofFile.items.length).toBeGreaterThan(0)
  })

  it('what a URL names, and its preview', async () => {
    const location = checked(
      'GET /urls/content',
      await client().urls.getContentByUrl({ url: `${stack.url}/s/${space}` }),
    )
    expect(location).toMatchObject({ space: { id: space } })
    for (const path of ['/site/', '/nothing'])
      checked(`GET ${S}/embed`, await spaces().getEmbedByUrlInSpace(space, { url: urlOf(path) }))
    checked('GET /urls/embed', await client().urls.getEmbedByUrl({ url: urlOf('/site/') }))
  })
})

describe('the published client writes', () => {
  it('changes of all kinds', async () => {
    const { data: file, status } = await client().orgs.generateStorageUploadUrl(organization.id, {
      file: { name: 'note.txt', type: 'text/plain', size: 4 },
      kind: 'import_file' as never,
    })
    checked(`POST ${O}/storage/upload`, { status, data: file })
    expect((await fetch(String(file.url), { method: 'PUT', body: 'note' })).status).toBe(200)
    const target = (await client().orgs.createSpace(organization.id, { title: 'Target' } as never)).data.id
    const changes = [
      { operation: 'insert_page', title: 'First', document: { markdown: '# First\n\n[file](ref:note)\n' }, ref: 'a' },
      { operation: 'insert_page', title: 'Second', document: { markdown: '[first](ref:a)\n' }, into: 'a' },
      { operation: 'insert_page', title: 'Group', type: 'group' },
      { operation: 'insert_files', files: [{ name: 'note.txt', upload: file.key, ref: 'note' }] },
      { operation: 'update_page', page: 'a', title: 'The first' },
    ]
    await request(organization.admin, 'POST', `/spaces/${target}/content`, { changes })
    const { pages } = checked(`GET ${C}/pages`, await spaces().listPages(target))
    expect(pages).toMatchObject([{ title: 'The first', pages: [{ title: 'Second' }] }, { type: 'group' }])
    const { revision: made } = (await spaces().getSpaceById(target)).data
    checked(`GET ${R}`, await spaces().getRevisionById(target, made))
    checked(`GET ${R}/changes`, await spaces().getRevisionSemanticChanges(target, made))
  })

  it('meta links of a page, and a page of a change request', async () => {
    const spaceId = (await client().orgs.createSpace(organization.id, { title: 'Linked' } as never)).data.id
    const metaLinks = { canonical: { kind: 'url', url: 'https://canonical.test/' } }
    const page = { operation: 'insert_page', title: 'First', document: { markdown: '# First\n' }, metaLinks }
    await request(organization.admin, 'POST', `/spaces/${spaceId}/content`, { changes: [page] })
    const { revision: revisionId } = (await spaces().getSpaceById(spaceId)).data
    const { id: changeRequestId } = (await spaces().createChangeRequest(spaceId, { subject: 'More' })).data
    const call = routeCalls(stack, {
      who: organization.admin,
      ids: { spaceId, revisionId, changeRequestId },
      check: checked,
    })
    const names = { pageId: (await spaces().listPages(spaceId)).data.pages[0]?.id ?? '' }
    for (const content of [C, R])
      expect(await call(`GET ${content}/page/{pageId}/meta-links`, { names })).toEqual(metaLinks)
    const more = { changes: [{ operation: 'insert_page', title: 'Second' }] }
    await call(`POST ${S}/change-requests/{changeRequestId}/content`, { body: more })
    const { data: proposed } = await spaces().listPagesInChangeRequest(spaceId, changeRequestId)
    expect(proposed.pages.map(({ title }) => title)).toEqual(['First', 'Second'])
    expect((await spaces().listPages(spaceId)).data.pages).toHaveLength(1)
  })

  it('what it imports by URL, in the space and below a page, and templates', async () => {
    const target = (await client().orgs.createSpace(organization.id, { title: 'Imported' } as never)).data.id
    const all = [
      ['markdown', '/page.md', 1],
      ['html', '/page.html', 1],
      ['zip', '/pages.zip', 1],
      ['docx', '/page.docx', 1],
      ['website', '/site/', 2],
    ] as const
    for (const [source, path, count] of all) {
      const body = { url: urlOf(path), source: source as never }
      const reply = checked(`POST ${C}/import`, await spaces().importContent(target, body))
      expect([source, reply.importedResources]).toEqual([source, count])
    }
    const { pages } = (await spaces().listPages(target)).data
    const body = { url: urlOf('/page.md'), source: 'markdown' as never }
    checked(`POST ${C}/page/{pageId}/import`, await spaces().importContentInPageById(target, pages[0]?.id ?? '', body))
    checked(`POST ${C}/template`, await spaces().applyTemplateToSpace(target, { id: 'guide' } as never))
    for (const { id, type } of flat((await spaces().listPages(target)).data.pages as TreePage[])) {
      if (type !== 'document') continue
      const page = checked(`GET ${C}/page/{pageId}`, await spaces().getPageById(target, id, document))
      validDocument((page as unknown as { document: unknown }).document)
    }
  })
})

it('has used every published operation of content but those that need a specification', () => {
  // Change requests have a walk of their own.
  const { getChangeRequestChanges: _walked, ...ofRevisions } = history
  const { published, unused } = publishedOf({
    ...content,
    ...computed,
    ...editing,
    ...ofRevisions,
    ...imports,
    ...links,
    ...search,
    ...embeds,
    ...urls,
    ...uploads,
  })
  expect(unused.toSorted()).toEqual([`POST ${C}/computed/document`, `POST ${C}/computed/revision`])
  expect(published.length).toBeGreaterThan(25)
})
