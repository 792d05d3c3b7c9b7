import { roles } from '@recto/actor'
import { query } from '@recto/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, aGrant, type ContentSetup, conditional, organization } from '../test/content-setup.ts'

let content: ContentSetup
const { aSpace, propose, edit, get, as } = aProposer(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
  content.people.add({ organization, user: 'guest', role: null })
  content.people.add({ organization: 'elsewhere', user: 'outsider' })
})
afterAll(() => content.stop())

type ChangeRequest = Awaited<ReturnType<typeof propose>>
const paramsOf = ({ space, id }: ChangeRequest) => ({ spaceId: space, changeRequestId: id })
const aProposal = async () => propose(await aSpace())
const review = (of: ChangeRequest, body: object = {}, role: 'review' | 'create' | 'edit' = 'review') =>
  as(role).submitChangeRequestReview({ params: paramsOf(of), body: { status: 'approved', ...body } })
const request = (of: ChangeRequest, users: string[], more: object = {}) =>
  as('edit').requestReviewersForChangeRequest({ params: paramsOf(of), body: { users, ...more } })
const listed = (of: ChangeRequest, filter: object = {}, role: 'read' | 'comment' | 'review' = 'comment') =>
  as(role).getReviewsByChangeRequestId({ params: paramsOf(of), query: filter })
const requested = async (of: ChangeRequest) => {
  const { items, count } = await as('read').getRequestedReviewersByChangeRequestId({ params: paramsOf(of), query: {} })
  expect(count).toBe(items.length)
  return items
}
const update = (of: ChangeRequest, body: object) =>
  as('edit').updateChangeRequestById({ params: paramsOf(of), body: body as never })
const eventsOf = async ({ id }: ChangeRequest) =>
  query<{ subject: string; payload: Record<string, unknown> }>(
    content.service.db,
    `select subject, payload from outbox where payload->>'changeRequest' = $1 and subject similar to '%(review|reviewers).%' order by created_at`,
    [id],
  )

describe('a review', () => {
  it('A review has a status and a comment, which is one of the change request', async () => {
    const created = await aProposal()
    const submitted = await review(created, { status: 'changes-requested', comment: { markdown: 'Not yet' } })
    expect(submitted).toMatchObject({
      object: 'change-request-review',
      revision: created.revision,
      reviewer: { id: 'user-review', displayName: 'user-review' },
      status: 'changes-requested',
      outdated: false,
      comment: { body: { markdown: 'Not yet' }, target: { review: submitted.id, changeRequest: created.id } },
    })
    expect(submitted).not.toHaveProperty('requestedBy')
    expect(await listed(created, {}, 'review')).toEqual({ items: [submitted], count: 1 })
    const [seen] = (await listed(created, {}, 'read')).items
    expect(seen).toMatchObject({ id: submitted.id })
    expect(seen).not.toHaveProperty('comment')
    const comments = await as('review').listCommentsInChangeRequest({ params: paramsOf(created) })
    expect(comments.items).toEqual([submitted.comment])
    expect(await get(created)).toMatchObject({ comments: 1 })
    const { items } = await listed(created, { format: 'document' })
    expect(items[0]?.comment?.body).toMatchObject({ document: { object: 'document' } })
    const commentId = submitted.comment?.id ?? ''
    await as('review').deleteCommentInChangeRequest({ params: { ...paramsOf(created), commentId } })
    expect((await listed(created)).items[0]).not.toHaveProperty('comment')
  })

  it('A review needs the role review', async () => {
    const created = await aProposal()
    await expect(review(created, {}, 'edit')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      content.as(undefined).submitChangeRequestReview({ params: paramsOf(created), body: { status: 'approved' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect((await listed(created)).count).toBe(0)
  })

  it('A review is outdated when the content has changed since, and lists have current or outdated ones', async () => {
    const created = await aProposal()
    const first = await review(created)
    await edit(created, insert('New'))
    const second = await review(created, {}, 'create')
    const ids = async (filter: object) =>
      (await listed(created, filter)).items.map(({ id, outdated }) => [id, outdated])
    expect(await ids({})).toEqual([
      [second.id, false],
      [first.id, true],
    ])
    expect(await ids({ outdated: 'true' })).toEqual([[first.id, true]])
    expect(await ids({ outdated: 'false' })).toEqual([[second.id, false]])
    const page = await listed(created, { limit: 1 })
    expect((await listed(created, { limit: 1, ...page.next })).items).toMatchObject([{ id: first.id }])
  })

  it('A review fulfils the request for it', async () => {
    const created = await aProposal()
    await request(created, ['user-review', 'user-read'])
    expect(await review(created)).toMatchObject({ requestedBy: { id: 'user-edit' } })
    expect((await requested(created)).map(({ user }) => user.id)).toEqual(['user-read'])
    expect(await review(created)).not.toHaveProperty('requestedBy')
    const events = await eventsOf(created)
    expect(events.map(({ subject, payload }) => [subject, payload['users'] ?? payload['status']])).toEqual([
      ['events.content.reviewers.requested', ['user-review', 'user-read']],
      ['events.content.review.submitted', 'approved'],
      ['events.content.review.submitted', 'approved'],
    ])
  })

  it.each(['archived', 'merged'])('A review of a change request that is %s is refused', async status => {
    const created = await aProposal()
    await edit(created, insert('New'))
    if (status === 'archived') await update(created, { status })
    else await as('review').mergeChangeRequest({ params: paramsOf(created) })
    await expect(review(created)).rejects.toMatchObject({ code: 'conflict' })
    await expect(request(created, ['user-read'])).rejects.toMatchObject({ code: 'conflict' })
    expect((await listed(created)).count).toBe(0)
  })

  it('The reply to a review names the address of the reviews', async () => {
    const created = await aProposal()
    const params = paramsOf(created)
    const body = { status: 'approved' }
    const reply = await conditional(content, 'submitChangeRequestReview', {
      params,
      body,
      conditions: {},
      role: 'review',
    })
    expect(reply.location).toBe(`http://recto.test/v1/spaces/${created.space}/change-requests/${created.id}/reviews`)
  })

  it('A review with an unknown status is refused', async () => {
    const refused = review(await aProposal(), { status: 'perhaps' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.status' }] })
  })
})

describe('requested reviewers', () => {
  it('Reviewers are requested once, which submits a draft', async () => {
    const created = await aProposal()
    const description = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }
    const { users } = await request(created, ['user-review', 'user-read', 'user-read'], { subject: 'New', description })
    expect(users).toMatchObject([
      {
        object: 'change-request-requested-reviewer',
        kind: 'user',
        user: { id: 'user-review' },
        requestedBy: { id: 'user-edit' },
        revision: created.revision,
      },
      { user: { id: 'user-read' } },
    ])
    expect(await get(created)).toMatchObject({ status: 'open', subject: 'New', description })
    const space = await as('read').getSpaceById({ params: { spaceId: created.space } })
    expect(space).toMatchObject({ changeRequestsOpen: 1, changeRequestsDraft: 0 })
    await edit(created, insert('New'))
    expect((await request(created, ['user-read', 'user-edit'])).users).toMatchObject([
      { user: { id: 'user-read' }, revision: created.revision },
      { user: { id: 'user-edit' } },
    ])
    expect((await requested(created)).map(({ user }) => user.id).toSorted()).toEqual([
      'user-edit',
      'user-read',
      'user-review',
    ])
    expect((await eventsOf(created)).map(({ payload }) => payload['users'])).toEqual([
      ['user-review', 'user-read'],
      ['user-edit'],
    ])
  })

  it('Requested reviewers are members who can read the space; otherwise nothing changes', async () => {
    const created = await aProposal()
    const { space } = created
    const refusedFor = async (users: string[]) => {
      const paths = users.map((_user, at) => ({ path: `body.users.${at + 1}` }))
      const refused = request(created, ['user-admin', ...users], { subject: 'Changed' })
      await expect(refused).rejects.toMatchObject({ code: 'not_found', details: paths })
    }
    await refusedFor(['nobody', 'outsider', 'guest'])
    await aGrant(content, { space, user: 'guest', role: 'read' })
    await refusedFor(['nobody'])
    await request(created, ['guest'])
    await as('admin').updateSpaceById({ params: { spaceId: space }, body: { defaultLevel: null } })
    await aGrant(content, { space, user: 'user-edit', role: 'edit' })
    await refusedFor(['user-read'])
    expect(await get(created)).toMatchObject({ subject: created.subject })
  })

  it('Requests for reviewers can be withdrawn by those who may make them', async () => {
    const created = await aProposal()
    await request(created, ['user-review'])
    const withdraw = (role: 'comment' | 'edit', userId: string) =>
      as(role).removeRequestedReviewerFromChangeRequest({ params: { ...paramsOf(created), userId } })
    await expect(withdraw('comment', 'user-review')).rejects.toMatchObject({ code: 'forbidden' })
    await withdraw('edit', 'nobody')
    await withdraw('edit', 'user-review')
    await withdraw('edit', 'user-review')
    expect(await requested(created)).toEqual([])
    expect((await eventsOf(created)).map(({ subject }) => subject)).toEqual([
      'events.content.reviewers.requested',
      'events.content.reviewers.removed',
    ])
    const params = paramsOf(created)
    const body = { users: ['user-read'] }
    await expect(as('comment').requestReviewersForChangeRequest({ params, body })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('Reviewers are requested once by concurrent requests', async () => {
    const created = await aProposal()
    await Promise.all(Array.from({ length: 8 }, () => request(created, ['user-review'])))
    expect(await requested(created)).toHaveLength(1)
    expect(await eventsOf(created)).toHaveLength(1)
  })
})
