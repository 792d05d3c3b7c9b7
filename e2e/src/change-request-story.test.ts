import { beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aMember, anOrganization, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { request } from './walk.ts'

let stack: Installation
let writer: Person
let reviewer: Person
let spaceId: string
beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  writer = await aMember(stack, organization, 'edit')
  reviewer = await aMember(stack, organization, 'review')
  spaceId = (await organization.admin.client.orgs.createSpace(organization.id, { title: 'Manual' })).data.id
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
})
const update = (id: string, markdown: string) => ({ operation: 'update_page', page: id, document: { markdown } })

interface Changed {
  changes: { page?: { id: string } }[]
}
const change = (who: Person, path: string, ...changes: object[]) =>
  request<Changed>(who, 'POST', `/spaces/${spaceId}${path}/content?compat=false`, { changes })

it('changes are proposed, discussed, reviewed, brought up to date, merged, and rolled back', async () => {
  const { spaces } = (writer as Person).client
  const ada = writer as Person
  const rob = reviewer as Person
  const started = await change(ada, '', page('Install', '# Install\n\nRun `setup`.\n\nThat is all.\n'))
  const install = started.changes[0]?.page?.id ?? ''
  const { revision: before } = (await spaces.getSpaceById(spaceId)).data

  // Ada writes three pages and a file, and asks Rob for a review.
  const { data: proposed } = await spaces.createChangeRequest(spaceId, { subject: 'Explain the tour' })
  const path = `/change-requests/${proposed.id}`
  await change(
    ada,
    path,
    { operation: 'insert_files', files: [{ name: 'tour.png', base64: png, ref: 'picture' }] },
    page('Tour', '# Tour\n\n![The tour](ref:picture)\n', { ref: 'tour' }),
    page('First steps', '# First steps\n\nA zymurgical walk.\n', { into: 'tour' }),
    page('Next steps', '# Next steps\n\nSee [the glossary](glossary.md).\n', { into: 'tour' }),
    update(install, '# Install\n\nRun `setup --all`.\n\nThat is all.\n'),
  )
  await spaces.requestReviewersForChangeRequest(spaceId, proposed.id, { users: [rob.id] })
  const { data: changeRequest } = await spaces.getChangeRequestById(spaceId, '1')
  expect(changeRequest).toMatchObject({ number: 1, status: 'open', outdated: false, subject: 'Explain the tour' })
  const { changes } = (await spaces.getChangeRequestChanges(spaceId, proposed.id)).data
  expect(changes.map(({ type }) => type)).toEqual([
    'page_edited',
    'page_created',
    'page_created',
    'page_created',
    'file_created',
  ])

  // Rob comments, Ada answers and resolves, Rob approves.
  const { data: comment } = await rob.client.spaces.postCommentInChangeRequest(spaceId, proposed.id, {
    page: install,
    body: { markdown: 'Is `--all` safe?' },
  })
  await spaces.postCommentReplyInChangeRequest(spaceId, proposed.id, comment.id, { body: { markdown: 'It is.' } })
  expect((await spaces.getChangeRequestById(spaceId, proposed.id)).data.comments).toBe(1)
  await spaces.updateCommentInChangeRequest(spaceId, proposed.id, comment.id, { resolved: true })
  await rob.client.spaces.submitChangeRequestReview(spaceId, proposed.id, { status: 'approved' as never })
  expect((await spaces.getChangeRequestById(spaceId, proposed.id)).data.comments).toBe(0)

  // Main content moves on, in the same line: the update finds the conflict, which Ada settles.
  await change(rob, '', update(install, '# Install\n\nRun `setup` once.\n\nThat is all.\n'), page('News', '# News\n'))
  expect((await spaces.getChangeRequestById(spaceId, proposed.id)).data.outdated).toBe(true)
  expect((await spaces.updateChangeRequest(spaceId, proposed.id)).data.result).toBe('conflicts')
  const { items: conflicts } = await request<{ items: object[] }>(ada, 'GET', `/spaces/${spaceId}${path}/conflicts`)
  expect(conflicts).toMatchObject([{ kind: 'text', page: install, base: expect.stringContaining('Run `setup`.') }])
  await request(ada, 'POST', `/spaces/${spaceId}${path}/conflicts/resolve`, {
    resolutions: [{ page: install, markdown: '# Install\n\nRun `setup --all` once.\n\nThat is all.\n' }],
  })
  expect((await spaces.getChangeRequestById(spaceId, proposed.id)).data.outdated).toBe(false)

  // Rob merges; content, search and links of the space follow.
  const { data: merged } = await rob.client.spaces.mergeChangeRequest(spaceId, proposed.id)
  expect(merged.result).toBe('merge')
  const { data: read } = await spaces.getPageById(spaceId, install, { format: 'markdown' as never })
  expect(read).toMatchObject({ markdown: '# Install\n\nRun `setup --all` once.\n\nThat is all.\n' })
  const pathsOf = async () => (await spaces.listPages(spaceId)).data.pages.map(one => ('path' in one ? one.path : ''))
  // Both were added at the end: their order is by id.
  expect((await pathsOf()).toSorted()).toEqual(['install', 'news', 'tour'])
  await eventually(async () => {
    const { data: hits } = await spaces.searchSpaceContent(spaceId, { query: 'zymurgical' })
    expect(hits.items).toMatchObject([{ path: 'tour/first-steps' }])
    const { data: links } = await spaces.listSpaceLinks(spaceId, { status: 'broken' as never })
    expect(links.stats.broken.total).toBe(1)
  })

  // And back: what was merged stays in the history.
  await request(rob, 'POST', `/spaces/${spaceId}/revisions/${before}/restore`)
  expect(await pathsOf()).toEqual(['install'])
  const { items: history } = await request<{ items: object[] }>(ada, 'GET', `/spaces/${spaceId}/revisions`)
  expect(history).toMatchObject([
    { type: 'rollback', createdBy: { id: rob.id } },
    { id: merged.revision, type: 'merge', mergedFrom: { number: 1, status: 'merged' } },
    { type: 'edits', createdBy: { id: rob.id } },
    { id: before, type: 'edits' },
    { type: 'edits' },
  ])
  await eventually(async () => {
    const { data: hits } = await spaces.searchSpaceContent(spaceId, { query: 'zymurgical' })
    expect(hits.items).toEqual([])
  })
})
