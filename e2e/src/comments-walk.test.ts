import { changeRequestComments, comments, reviews } from '@recto/contracts-content'
import { replySchemas } from '@recto/testing'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendRaw, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { request, validReply } from './walk.ts'

let stack: Installation
let organization: { id: string; admin: Person }
let writer: Person
let reviewer: Person
let place: { spaceId: string; pageId: string; changeRequestId: string }

beforeAll(async () => {
  stack = await sharedStack()
  organization = await anOrganization(stack)
  const { admin } = organization
  writer = await aMember(stack, organization, 'edit')
  reviewer = await aMember(stack, organization, 'review')
  const { id: spaceId } = (await admin.client.orgs.createSpace(organization.id, { title: 'Manual' } as never)).data
  const insert = { operation: 'insert_page', title: 'Start', document: { markdown: '# Start\n\nFirst words.\n' } }
  const { changes } = await request<{ changes: { page: { id: string } }[] }>(
    admin,
    'POST',
    `/spaces/${spaceId}/content`,
    { changes: [insert] },
  )
  const created = await writer.client.spaces.createChangeRequest(spaceId, { subject: 'Better words' })
  place = { spaceId, pageId: changes[0]?.page.id ?? '', changeRequestId: created.data.id }
})

const used = new Set<string>()
/** Checks a reply and records the operation. */
async function valid<T extends { status: number; data: unknown }>(
  operation: string,
  reply: Promise<T>,
): Promise<T['data']> {
  used.add(operation)
  return validReply(operation, await reply)
}
const text = (markdown: string) => ({ body: { markdown } })
const failure = async (reply: Promise<unknown>) =>
  reply.then(
    () => undefined,
    (error: { code: number }) => error.code,
  )

/** The same walk on main content and on a change request, by the last part of the names of the client's methods. */
describe.each(['InSpace', 'InChangeRequest'] as const)('people talk %s', suffix => {
  type Method = (...parameters: unknown[]) => Promise<{ status: number; data: never }>
  const call = <T>(who: Person, name: string, ...parameters: unknown[]) => {
    const method = `${name}${suffix}`
    const { spaces } = who.client as unknown as { spaces: Record<string, Method> }
    const ids = suffix === 'InSpace' ? [place.spaceId] : [place.spaceId, place.changeRequestId]
    const reply = (spaces[method] as Method)(...ids, ...parameters)
    return valid(method, reply as Promise<{ status: number; data: T }>)
  }
  interface Shown {
    id: string
    status: string
    replies: number
    body: { markdown?: string }
    reactions: { emoji: string; count: number }[]
    target: { page?: { id: string; outdated: boolean }; node?: { preview: string } }
  }
  interface List<T> {
    items: T[]
    count: number
  }

  it('post, filter, reply, react, resolve and delete', async () => {
    const { pageId } = place
    const page = await writer.client.spaces.getPageById(place.spaceId, pageId, { format: 'document' as never })
    const { document } = page.data as unknown as { document: { nodes: { key: string }[] } }
    const about = { page: pageId, node: document.nodes[0]?.key }
    const posted = await call<Shown>(writer, 'postComment', { ...text('**Why?**'), ...about })
    expect(posted).toMatchObject({
      status: 'open',
      target: { page: { id: pageId }, node: { preview: 'First words.' } },
    })
    const general = await call<Shown>(reviewer, 'postComment', text('Well done'))

    const listed = (query: object) => call<List<Shown>>(writer, 'listComments', query)
    const ids = async (query: object) => (await listed(query)).items.map(({ id }) => id)
    expect(await ids({})).toEqual([general.id, posted.id])
    expect(await ids({ order: 'asc', format: 'document' })).toEqual([posted.id, general.id])
    expect(await ids({ targetPage: pageId })).toEqual([posted.id])
    expect(await ids({ authors: [reviewer.id] })).toEqual([general.id])
    expect(await ids({ authors: [reviewer.id, writer.id], limit: 1 })).toEqual([general.id])
    expect(await ids({ authors: [organization.admin.id] })).toEqual([])

    const reply = await call<Shown>(reviewer, 'postCommentReply', posted.id, text('Because'))
    expect(await call(writer, 'getCommentReply', posted.id, reply.id, { format: 'document' })).toMatchObject({
      body: { document: { object: 'document' } },
    })
    const update = { ...text('Because of that'), addedReactions: ['1f44d'] }
    expect(await call(reviewer, 'updateCommentReply', posted.id, reply.id, update)).toMatchObject({
      reactions: [{ emoji: '1f44d', count: 1 }],
    })
    expect(await call<List<Shown>>(writer, 'listCommentReplies', posted.id)).toMatchObject({ count: 1 })
    expect(await call<Shown>(writer, 'getComment', posted.id)).toMatchObject({
      replies: 1,
      body: { markdown: '**Why?**' },
    })

    expect(await call(reviewer, 'updateComment', posted.id, { resolved: true, addedReactions: ['🎉'] })).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: reviewer.id },
      reactions: [{ emoji: '🎉' }],
    })
    expect(await ids({ status: 'open' })).toEqual([general.id])
    expect(await call(writer, 'updateComment', posted.id, { resolved: false })).toMatchObject({ status: 'open' })
    expect(await failure(call(reviewer, 'updateComment', posted.id, text('Mine')))).toBe(403)
    expect(await failure(call(reviewer, 'deleteComment', posted.id))).toBe(403)

    const commenters = await call<List<{ id: string; object: string }>>(writer, 'listCommenters')
    expect(commenters.items.map(({ id }) => id)).toEqual([writer.id, reviewer.id])
    await call(reviewer, 'deleteCommentReply', posted.id, reply.id)
    await call(writer, 'deleteComment', posted.id)
    expect(await failure(call(writer, 'getComment', posted.id))).toBe(404)
    expect(await call(writer, 'listComments')).toMatchObject({ count: 1 })
  })
})

it('the reviewer is asked, reviews, and the counts are right', async () => {
  const { spaceId, changeRequestId } = place
  const ask = { users: [reviewer.id], subject: 'Even better words' }
  const requested = await valid(
    'requestReviewersForChangeRequest',
    writer.client.spaces.requestReviewersForChangeRequest(spaceId, changeRequestId, ask),
  )
  expect(requested.users).toMatchObject([{ user: { id: reviewer.id }, requestedBy: { id: writer.id } }])
  const requestedReviewers = () =>
    valid(
      'getRequestedReviewersByChangeRequestId',
      writer.client.spaces.getRequestedReviewersByChangeRequestId(spaceId, changeRequestId),
    )
  expect((await requestedReviewers()).items).toHaveLength(1)
  await valid(
    'removeRequestedReviewerFromChangeRequest',
    writer.client.spaces.removeRequestedReviewerFromChangeRequest(spaceId, changeRequestId, reviewer.id),
  )
  expect((await requestedReviewers()).items).toEqual([])
  await writer.client.spaces.requestReviewersForChangeRequest(spaceId, changeRequestId, ask)
  const verdict = { status: 'changes-requested' as never, comment: { markdown: 'Not yet' } }
  const review = await valid(
    'submitChangeRequestReview',
    reviewer.client.spaces.submitChangeRequestReview(spaceId, changeRequestId, verdict),
  )
  expect(review).toMatchObject({ requestedBy: { id: writer.id }, comment: { target: { review: review.id } } })
  expect((await requestedReviewers()).items).toEqual([])
  const listed = await valid(
    'getReviewsByChangeRequestId',
    writer.client.spaces.getReviewsByChangeRequestId(spaceId, changeRequestId, { outdated: false }),
  )
  expect(listed.items).toMatchObject([{ id: review.id, status: 'changes-requested', outdated: false }])
  // The older client has no method for it.
  const path = `/spaces/${spaceId}/change-requests/${changeRequestId}/reviews/${review.id}`
  const { status, body: data } = await sendRaw(stack.url, writer, { method: 'GET', path })
  expect(await valid('getChangeRequestReviewById', Promise.resolve({ status, data }))).toEqual(listed.items[0])
  const changeRequest = await writer.client.spaces.getChangeRequestById(spaceId, changeRequestId)
  expect(changeRequest.data).toMatchObject({ status: 'open', subject: 'Even better words', comments: 2 })
  expect((await writer.client.spaces.getSpaceById(spaceId)).data).toMatchObject({ comments: 1 })
})

it('every operation on comments and reviews that the client knows was walked', () => {
  const rows = { ...comments, ...changeRequestComments, ...reviews }
  const publishedIds = new Set(replySchemas().operationIds)
  const ids = Object.keys(rows).filter(id => publishedIds.has(id))
  expect(ids.length).toBeGreaterThan(20)
  expect(ids.filter(id => !used.has(id))).toEqual([])
})
