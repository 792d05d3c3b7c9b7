import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, aGrant, type ContentSetup, conditional, organization } from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

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
const listReviews = (of: ChangeRequest, filter: object = {}, role: 'read' | 'comment' | 'review' = 'comment') =>
  as(role).getReviewsByChangeRequestId({ params: paramsOf(of), query: filter })
const requested = async (of: ChangeRequest) => {
  const { items, count } = await as('read').getRequestedReviewersByChangeRequestId({ params: paramsOf(of), query: {} })
  expect(count).toBe(items.length)
  return items
}
const update = (of: ChangeRequest, body: object) =>
  as('edit').updateChangeRequestById({ params: paramsOf(of), body: body as never })
const recordedOf = async ({ id }: ChangeRequest) =>
  (await recordedChanges(content, { changeRequest: id })).filter(({ type }) => type.startsWith('change-request.review'))

describe('a review', () => {
  it('A review has a status and a comment, which is one of the change request', async () => {
    const changeRequest = await aProposal()
    const submitted = await review(changeRequest, { status: 'changes-requested', comment: { markdown: 'Not yet' } })
    expect(submitted).toMatchObject({
      object: 'change-request-review',
      revision: changeRequest.revision,
      reviewer: { id: 'user-review', displayName: 'user-review' },
      status: 'changes-requested',
      outdated: false,
      comment: { body: { markdown: 'Not yet' }, target: { review: submitted.id, changeRequest: changeRequest.id } },
    })
    expect(submitted).not.toHaveProperty('requestedBy')
    expect(await listReviews(changeRequest, {}, 'review')).toEqual({ items: [submitted], count: 1 })
    const one = { ...paramsOf(changeRequest), reviewId: submitted.id }
    expect(await as('review').getChangeRequestReviewById({ params: one })).toEqual(submitted)
    expect(submitted.urls.location).toMatch(new RegExp(`/v1/spaces/${one.spaceId}/change-requests/.*/${one.reviewId}$`))
    const elsewhere = { ...paramsOf(await aProposal()), reviewId: submitted.id }
    await expect(as('review').getChangeRequestReviewById({ params: elsewhere })).rejects.toMatchObject({
      code: 'not_found',
    })
    const [seen] = (await listReviews(changeRequest, {}, 'read')).items
    expect(seen).toMatchObject({ id: submitted.id })
    expect(seen).not.toHaveProperty('comment')
    const comments = await as('review').listCommentsInChangeRequest({ params: paramsOf(changeRequest) })
    expect(comments.items).toEqual([submitted.comment])
    expect(await get(changeRequest)).toMatchObject({ comments: 1 })
    const { items } = await listReviews(changeRequest, { format: 'document' })
    expect(items[0]?.comment?.body).toMatchObject({ document: { object: 'document' } })
    const commentId = submitted.comment?.id ?? ''
    await as('review').deleteCommentInChangeRequest({ params: { ...paramsOf(changeRequest), commentId } })
    expect((await listReviews(changeRequest)).items[0]).not.toHaveProperty('comment')
  })

  it('A review needs the role review', async () => {
    const changeRequest = await aProposal()
    await expect(review(changeRequest, {}, 'edit')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      content
        .as(undefined)
        .submitChangeRequestReview({ params: paramsOf(changeRequest), body: { status: 'approved' } }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect((await listReviews(changeRequest)).count).toBe(0)
  })

  it('A review is outdated when the content has changed since, and lists have current or outdated ones', async () => {
    const changeRequest = await aProposal()
    const first = await review(changeRequest)
    await edit(changeRequest, insert('New'))
    const second = await review(changeRequest, {}, 'create')
    const ids = async (filter: object) =>
      (await listReviews(changeRequest, filter)).items.map(({ id, outdated }) => [id, outdated])
    expect(await ids({})).toEqual([
      [second.id, false],
      [first.id, true],
    ])
    expect(await ids({ outdated: 'true' })).toEqual([[first.id, true]])
    expect(await ids({ outdated: 'false' })).toEqual([[second.id, false]])
    const page = await listReviews(changeRequest, { limit: 1 })
    expect((await listReviews(changeRequest, { limit: 1, ...page.next })).items).toMatchObject([{ id: first.id }])
  })

  it('A review fulfils the request for it', async () => {
    const changeRequest = await aProposal()
    await request(changeRequest, ['user-review', 'user-read'])
    expect(await review(changeRequest)).toMatchObject({ requestedBy: { id: 'user-edit' } })
    expect((await requested(changeRequest)).map(({ user }) => user.id)).toEqual(['user-read'])
    expect(await review(changeRequest)).not.toHaveProperty('requestedBy')
    expect((await recordedOf(changeRequest)).map(({ type, details }) => [type, details])).toEqual([
      ['change-request.reviewers.updated', { added: ['user-review', 'user-read'] }],
      ['change-request.reviewed', { status: 'approved' }],
      ['change-request.reviewed', { status: 'approved' }],
    ])
  })

  it.each(['archived', 'merged'])('A review of a change request that is %s is refused', async status => {
    const changeRequest = await aProposal()
    await edit(changeRequest, insert('New'))
    if (status === 'archived') await update(changeRequest, { status })
    else await as('review').mergeChangeRequest({ params: paramsOf(changeRequest) })
    await expect(review(changeRequest)).rejects.toMatchObject({ code: 'conflict' })
    await expect(request(changeRequest, ['user-read'])).rejects.toMatchObject({ code: 'conflict' })
    expect((await listReviews(changeRequest)).count).toBe(0)
  })

  it('The reply to a review names its address', async () => {
    const created = await aProposal()
    const params = paramsOf(created)
    const body = { status: 'approved' }
    const reply = await conditional(content, 'submitChangeRequestReview', {
      params,
      body,
      conditions: {},
      role: 'review',
    })
    const { id } = JSON.parse(Buffer.from(reply.body as Uint8Array).toString()) as { id: string }
    const path = `/v1/spaces/${created.space}/change-requests/${created.id}/reviews/${id}`
    expect(reply.location).toBe(`http://recto.test${path}`)
  })

  it('A review with an unknown status is refused', async () => {
    const refused = review(await aProposal(), { status: 'perhaps' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.status' }] })
  })
})

describe('requested reviewers', () => {
  it('Reviewers are requested once, which submits a draft', async () => {
    const changeRequest = await aProposal()
    const description = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }
    const { users } = await request(changeRequest, ['user-review', 'user-read', 'user-read'], {
      subject: 'New',
      description,
    })
    expect(users).toMatchObject([
      {
        object: 'change-request-requested-reviewer',
        kind: 'user',
        user: { id: 'user-review' },
        requestedBy: { id: 'user-edit' },
        revision: changeRequest.revision,
      },
      { user: { id: 'user-read' } },
    ])
    expect(await get(changeRequest)).toMatchObject({ status: 'open', subject: 'New', description })
    const space = await as('read').getSpaceById({ params: { spaceId: changeRequest.space } })
    expect(space).toMatchObject({ changeRequestsOpen: 1, changeRequestsDraft: 0 })
    await edit(changeRequest, insert('New'))
    expect((await request(changeRequest, ['user-read', 'user-edit'])).users).toMatchObject([
      { user: { id: 'user-read' }, revision: changeRequest.revision },
      { user: { id: 'user-edit' } },
    ])
    expect((await requested(changeRequest)).map(({ user }) => user.id).toSorted()).toEqual([
      'user-edit',
      'user-read',
      'user-review',
    ])
    expect((await recordedOf(changeRequest)).map(({ details }) => details)).toEqual([
      { added: ['user-review', 'user-read'] },
      { added: ['user-edit'] },
    ])
  })

  it('Requested reviewers are members who can read the space; otherwise nothing changes', async () => {
    const changeRequest = await aProposal()
    const { space } = changeRequest
    const refusedFor = async (users: string[]) => {
      const paths = users.map((_user, at) => ({ path: `body.users.${at + 1}` }))
      const refused = request(changeRequest, ['user-admin', ...users], { subject: 'Changed' })
      await expect(refused).rejects.toMatchObject({ code: 'not_found', details: paths })
    }
    await refusedFor(['nobody', 'outsider', 'guest'])
    await aGrant(content, { space, user: 'guest', role: 'read' })
    await refusedFor(['nobody'])
    await request(changeRequest, ['guest'])
    await as('admin').updateSpaceById({ params: { spaceId: space }, body: { defaultLevel: null } })
    await aGrant(content, { space, user: 'user-edit', role: 'edit' })
    await refusedFor(['user-read'])
    expect(await get(changeRequest)).toMatchObject({ subject: changeRequest.subject })
  })

  it('Requests for reviewers can be withdrawn by those who may make them', async () => {
    const changeRequest = await aProposal()
    await request(changeRequest, ['user-review'])
    const withdraw = (role: 'comment' | 'edit', userId: string) =>
      as(role).removeRequestedReviewerFromChangeRequest({ params: { ...paramsOf(changeRequest), userId } })
    await expect(withdraw('comment', 'user-review')).rejects.toMatchObject({ code: 'forbidden' })
    await withdraw('edit', 'nobody')
    await withdraw('edit', 'user-review')
    await withdraw('edit', 'user-review')
    expect(await requested(changeRequest)).toEqual([])
    expect((await recordedOf(changeRequest)).map(({ details }) => details)).toEqual([
      { added: ['user-review'] },
      { removed: ['user-review'] },
    ])
    const params = paramsOf(changeRequest)
    const body = { users: ['user-read'] }
    await expect(as('comment').requestReviewersForChangeRequest({ params, body })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('Reviewers are requested once by concurrent requests', async () => {
    const changeRequest = await aProposal()
    await Promise.all(Array.from({ length: 8 }, () => request(changeRequest, ['user-review'])))
    expect(await requested(changeRequest)).toHaveLength(1)
    expect(await recordedOf(changeRequest)).toHaveLength(1)
  })
})
