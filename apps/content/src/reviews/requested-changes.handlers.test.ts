import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { roles } from '@recto/actor'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
const { as, aSpace, propose, organization } = aProposer(() => content)
beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
})
afterAll(() => content.stop())

const paramsOf = ({ space, id }: { space: string; id: string }) => ({ spaceId: space, changeRequestId: id })

/** The numbers of the open change requests of a space, which the list of the organization has in the same order. */
async function listNumbers(spaceId: string, more: object): Promise<number[]> {
  const ofSpace = await as('read').listChangeRequestsForSpace({ params: { spaceId }, query: more })
  const params = { organizationId: organization }
  const query = { ...more, space: spaceId }
  const ofOrganization = await as('read').listChangeRequestsForOrganization({ params, query })
  expect(ofOrganization).toMatchObject({ count: ofSpace.count, items: ofSpace.items.map(({ id }) => ({ id })) })
  return ofSpace.items.map(({ number }) => number)
}

it('A list of change requests has the latest update first, or the latest creation', async () => {
  const spaceId = await aSpace()
  const first = await propose(spaceId)
  const second = await propose(spaceId)
  for (const each of [second, first])
    await as('edit').updateChangeRequestById({ params: paramsOf(each), body: { status: 'open' } })
  expect(await listNumbers(spaceId, {})).toEqual([1, 2])
  expect(await listNumbers(spaceId, { orderBy: 'updatedAt' })).toEqual([1, 2])
  expect(await listNumbers(spaceId, { orderBy: 'createdAt' })).toEqual([2, 1])
})

it('A list of change requests can have those that wait for the review of a user', async () => {
  const spaceId = await aSpace()
  await propose(spaceId)
  const proposal = await propose(spaceId)
  const waiting = (requestedReviewer: string) => listNumbers(spaceId, { requestedReviewer })
  expect(await waiting('user-review')).toEqual([])
  const params = paramsOf(proposal)
  await as('edit').requestReviewersForChangeRequest({ params, body: { users: ['user-review'] } })
  expect(await waiting('user-review')).toEqual([2])
  expect(await waiting('user-read')).toEqual([])
  await as('review').submitChangeRequestReview({ params, body: { status: 'approved' } })
  expect(await waiting('user-review')).toEqual([])
})

it('A list of the change requests of a space that the caller cannot read is empty', async () => {
  const spaceId = await aSpace()
  const { space, id } = await propose(spaceId)
  await as('edit').updateChangeRequestById({ params: paramsOf({ space, id }), body: { status: 'open' } })
  await as('admin').updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
  const list = (role: 'read' | 'admin') =>
    as(role).listChangeRequestsForOrganization({ params: { organizationId: organization }, query: { space: spaceId } })
  expect(await list('read')).toEqual({ items: [], count: 0 })
  expect(await list('admin')).toMatchObject({ items: [{ id }], count: 1 })
})
