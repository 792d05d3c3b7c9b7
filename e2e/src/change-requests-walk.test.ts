import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  changeRequestContent,
  changeRequestImports,
  changeRequestLinks,
  changeRequests,
  history,
  merging,
} from '@recto/contracts-content'
import { aGitServer, aRepository, type GitServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { anOrganization, type Person } from './people.ts'
import { routeCalls } from './route-calls.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies, importRepository, linksOf, request, validReply } from './walk.ts'

const { checked, publishedOf } = checkedReplies()
const O = '/orgs/{organizationId}'
const S = '/spaces/{spaceId}'
const CR = `${S}/change-requests/{changeRequestId}`
const C = `${CR}/content`

let stack: Installation
let git: GitServer
let web: Server
let organization: { id: string; admin: Person }
let repository: Awaited<ReturnType<typeof aRepository>>
let space: string
/** The change request that is read and changed; it is named by its number. */
let id: string
const number = '1'
const newPage = {
  title: 'Proposed',
  document: { markdown: '# Proposed\n\n[guide](guide/README.md) [lost](lost.md)\n' },
  metaLinks: { canonical: { kind: 'url', url: 'https://canonical.test/' } },
}

interface TreePage {
  id: string
  type: string
  path?: string
  pages?: TreePage[]
}
const flat = (pages: TreePage[]): TreePage[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
/** Ids by path. */
const pageIds = new Map<string, string>()

const client = () => organization.admin.client
const spaces = () => client().spaces
const urlOf = (path: string) => `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`
const edit = (...changes: object[]) =>
  request(organization.admin, 'POST', `/spaces/${space}/change-requests/${id}/content`, { changes })
const write = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } })
/** Validates a document by the reply of the operation that answers nothing else. */
const validDocument = (document: unknown) => validReply('getDocumentById', { status: 200, data: document })
const document = { format: 'document' } as never
const markdown = { format: 'markdown' } as never

beforeAll(async () => {
  const withIncludes = { 'reference/in_tail.md': '# Tail\n\n{% include "../.gitbook/includes/notice.md" %}\n' }
  const notice = { '.gitbook/includes/notice.md': 'See the [guide](../../guide/README.md).\n' }
  repository = await aRepository({ files: { ...manual, ...withIncludes, ...notice } })
  git = await aGitServer({ repositories: { manual: repository.path } })
  web = createServer((_request, response) => void response.end('# Imported\n\n[more](more.md)\n'))
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  stack = await sharedStack()
  organization = await anOrganization(stack)
  space = (await client().orgs.createSpace(organization.id, { title: 'Manual' } as never)).data.id
  await importRepository(organization.admin, space, git.url('manual'))
  await linksOf(organization.admin, space)
})
afterAll(async () => {
  web.closeAllConnections()
  await Promise.all([new Promise(resolve => web.close(resolve)), git.stop()])
  await repository.remove()
})

describe('the published client works on a change request', () => {
  it('which it creates, submits and finds', async () => {
    const created = checked(
      `POST ${S}/change-requests`,
      await spaces().createChangeRequest(space, { subject: 'A proposal' }),
    )
    expect(created).toMatchObject({ number: 1, status: 'draft', outdated: false })
    id = created.id
    const status = 'open' as never
    expect(checked(`PATCH ${CR}`, await spaces().updateChangeRequestById(space, id, { status }))).toMatchObject({
      status,
    })
    const changeRequest = checked(`GET ${CR}`, await spaces().getChangeRequestById(space, number as never))
    expect(changeRequest).toMatchObject({ id, status })
    const { items } = checked(`GET ${S}/change-requests`, await spaces().listChangeRequestsForSpace(space))
    expect(items).toEqual([changeRequest])
    const everywhere = await client().orgs.listChangeRequestsForOrganization(organization.id)
    expect(checked(`GET ${O}/change-requests`, everywhere).items).toEqual([changeRequest])
  })

  it('which it imports into, at the root and below a page', async () => {
    const body = { url: urlOf('/page.md'), source: 'markdown' as never }
    const first = checked(`POST ${C}/import`, await spaces().importContentInChangeRequest(space, id, body))
    expect(first).toMatchObject({ importedResources: 1, totalResources: 1 })
    const { pages } = (await spaces().listPagesInChangeRequest(space, id)).data
    const parent = pages.at(-1)?.id ?? ''
    checked(
      `POST ${C}/page/{pageId}/import`,
      await spaces().importContentInChangeRequestPageById(space, id, parent, body),
    )
    const { items } = await request<{ items: object[] }>(organization.admin, 'GET', `/spaces/${space}/content/imports`)
    expect(items).toMatchObject([{ changeRequest: id, page: parent }, { changeRequest: id }])
  })

  it('whose content it reads, each page in all forms', async () => {
    await edit({ operation: 'insert_page', ...newPage })
    const { revision } = (await spaces().getChangeRequestById(space, id)).data
    expect(checked(`GET ${C}`, await spaces().getRevisionOfChangeRequestById(space, id))).toMatchObject({
      id: revision,
    })
    const { pages } = checked(`GET ${C}/pages`, await spaces().listPagesInChangeRequest(space, id))
    for (const page of flat(pages as TreePage[])) if (page.type === 'document') pageIds.set(page.path ?? '', page.id)
    expect([...pageIds.keys()]).toEqual(expect.arrayContaining(['guide', 'proposed', 'page', 'page/page']))
    for (const [path, pageId] of pageIds) {
      const byId = checked(
        `GET ${C}/page/{pageId}`,
        await spaces().getPageInChangeRequestById(space, id, pageId, document),
      )
      validDocument((byId as unknown as { document: unknown }).document)
      const byPath = await spaces().getPageInChangeRequestByPath(space, id, path, document)
      expect(checked(`GET ${C}/path/{pagePath}`, byPath)).toEqual(byId)
      checked(`GET ${C}/page/{pageId}`, await spaces().getPageInChangeRequestById(space, id, pageId, markdown))
    }
    const call = routeCalls(stack, {
      who: organization.admin,
      ids: { spaceId: space, changeRequestId: id },
      check: checked,
    })
    const names = { pageId: pageIds.get('proposed') ?? '' }
    expect(await call(`GET ${C}/page/{pageId}/meta-links`, { names })).toEqual(newPage.metaLinks)
    const { items } = checked(`GET ${C}/files`, await spaces().listFilesInChangeRequestById(space, id))
    const file = await spaces().getFileInChangeRequestById(space, id, items[0]?.id ?? '')
    expect(checked(`GET ${C}/files/{fileId}`, file)).toEqual(items[0])
    const { reusableContents } = (await spaces().getRevisionOfChangeRequestById(space, id)).data
    const reusable = await spaces().getReusableContentInChangeRequestById(space, id, reusableContents[0]?.id ?? '')
    expect(checked(`GET ${C}/reusable-contents/{reusableContentId}`, reusable)).toEqual(reusableContents[0])
  })

  it('whose links and backlinks it lists', async () => {
    const all = checked(`GET ${CR}/links`, await spaces().listChangeRequestLinks(space, id, { limit: 1_000 }))
    expect(all.items.length).toBe(all.stats.total)
    expect(all.stats.broken.changeRequest).toBe(1)
    for (const status of ['ok', 'broken', 'in-app'] as never[])
      checked(`GET ${CR}/links`, await spaces().listChangeRequestLinks(space, id, { status }))
    for (const [brokenContext, count] of [
      ['change-request', 1],
      ['space', all.stats.broken.total - 1],
    ] as const) {
      const query = { brokenContext: brokenContext as never }
      expect(checked(`GET ${CR}/links`, await spaces().listChangeRequestLinks(space, id, query)).count).toBe(count)
    }
    const [proposed = '', guide = ''] = ['proposed', 'guide'].map(path => pageIds.get(path))
    const ofPage = await spaces().listPageLinksInChangeRequest(space, id, proposed)
    expect(checked(`GET ${C}/page/{pageId}/links`, ofPage).stats).toMatchObject({ total: 2 })
    const back = await spaces().listChangeRequestPageBacklinks(space, id, guide)
    const { items } = checked(`GET ${C}/page/{pageId}/backlinks`, back)
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(['page', 'reusable-content'])
    const { items: files } = (await spaces().listFilesInChangeRequestById(space, id)).data
    const used = files.find(({ name }) => name.endsWith('.gif'))?.id ?? ''
    const ofFile = await spaces().listChangeRequestFileBacklinks(space, id, used)
    expect(checked(`GET ${C}/files/{fileId}/backlinks`, ofFile).items).toHaveLength(1)
  })

  it('whose changes and contributors it lists', async () => {
    const guide = pageIds.get('guide') ?? ''
    const { items: files } = (await spaces().listFilesInChangeRequestById(space, id)).data
    await edit(
      write(guide, '# Guide\n\nProposed.\n'),
      { operation: 'update_page', page: guide, title: 'The guide', into: pageIds.get('proposed') },
      { operation: 'delete_page', page: pageIds.get('reference/in_tail') },
      { operation: 'delete_file', file: files[0]?.id },
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'YQ==' }] },
    )
    const { changes } = checked(`GET ${CR}/changes`, await spaces().getChangeRequestChanges(space, id, { limit: 100 }))
    expect(new Set(changes.map(({ type }) => type))).toEqual(
      new Set(['page_created', 'page_edited', 'page_moved', 'page_deleted', 'file_created', 'file_deleted']),
    )
    const { items } = checked(`GET ${CR}/contributors`, await spaces().getContributorsByChangeRequestId(space, id))
    expect(items).toMatchObject([{ actionType: 'edit', count: 4, user: { id: organization.admin.id } }])
  })

  it('which it updates and merges, also when there were conflicts', async () => {
    const guide = pageIds.get('guide') ?? ''
    const changes = [write(guide, '# Guide\n\nOf main.\n')]
    await request(organization.admin, 'POST', `/spaces/${space}/content`, { changes })
    const refused = checked(`POST ${CR}/merge`, await spaces().mergeChangeRequest(space, id))
    expect(refused).toMatchObject({ result: 'conflicts' })
    expect(checked(`POST ${CR}/update`, await spaces().updateChangeRequest(space, id))).toMatchObject({
      result: 'conflicts',
    })
    const path = `/spaces/${space}/change-requests/${id}/conflicts`
    const { items } = await request<{ items: object[] }>(organization.admin, 'GET', path)
    expect(items).toMatchObject([{ kind: 'text', page: guide }])
    const resolutions = [{ page: guide, take: 'change-request' }]
    await request(organization.admin, 'POST', `${path}/resolve`, { resolutions })
    expect(checked(`POST ${CR}/update`, await spaces().updateChangeRequest(space, id))).toMatchObject({
      result: 'update',
    })
    const { revision, result } = checked(`POST ${CR}/merge`, await spaces().mergeChangeRequest(space, id))
    expect(result).toBe('merge')
    const changeRequest = await spaces().getChangeRequestById(space, id)
    expect(checked(`GET ${CR}`, changeRequest)).toMatchObject({ status: 'merged', revisionMerged: revision })
    const made = await spaces().getRevisionSemanticChanges(space, revision, { limit: 100 })
    const R = `${S}/revisions/{revisionId}`
    expect(checked(`GET ${R}/changes`, made)).toMatchObject({ mergedFrom: { id } })
    checked(`GET ${R}`, await spaces().getRevisionById(space, revision))
    // The imported and proposed pages are main content now, and can be undone.
    const { items: main } = await request<{ items: { id: string; type: string }[] }>(
      organization.admin,
      'GET',
      `/spaces/${space}/revisions`,
    )
    expect(main.map(({ type }) => type).slice(0, 2)).toEqual(['merge', 'edits'])
    await request(organization.admin, 'POST', `/spaces/${space}/revisions/${main[1]?.id}/restore`)
    expect(flat((await spaces().listPages(space)).data.pages as TreePage[]).map(({ path }) => path)).not.toContain(
      'proposed',
    )
  })
})

it('has used every published operation on change requests and their content', () => {
  const { published, unused } = publishedOf({
    ...changeRequests,
    ...changeRequestContent,
    ...changeRequestImports,
    ...changeRequestLinks,
    ...merging,
    ...history,
  })
  expect(unused).toEqual([])
  expect(published.length).toBeGreaterThan(19)
})
