import { query, transact } from '@recto/database'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup } from '../test/content-setup.ts'
import { purge } from './purge.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const admin = () => content.as('admin')
const db = () => content.service.db
const rows = async (sql: string, values: unknown[]) => (await query(db(), sql, values)).length

it('A purge deletes the change requests of a space with their reviews, and all comments', async () => {
  const spaceId = await aSpace(content)
  const otherSpace = await aSpace(content)
  const body = { body: { markdown: 'Gone' } }
  const { id: commentId } = await admin().postCommentInSpace({ params: { spaceId }, body })
  await admin().postCommentReplyInSpace({ params: { spaceId, commentId }, body })
  await admin().updateCommentInSpace({ params: { spaceId, commentId }, body: { addedReactions: ['1f44d'] } })
  const { id: changeRequestId } = await admin().createChangeRequest({ params: { spaceId }, body: {} })
  const params = { spaceId, changeRequestId }
  await admin().updateContentInChangeRequest({
    params,
    query: {},
    body: { changes: [{ operation: 'insert_page', title: 'New' }] },
  })
  await admin().submitChangeRequestReview({ params, body: { status: 'approved', comment: { markdown: 'Good' } } })
  await admin().postCommentInSpace({ params: { spaceId: otherSpace }, body })
  await admin().deleteSpaceById({ params: { spaceId } })
  await query(db(), `update spaces set deleted_at = now() - interval '8 days' where id = $1`, [spaceId])
  expect(await purge({ transaction: work => transact(db(), () => undefined, work), now: new Date() })).toBe(1)
  const ofSpace = (id: string) => rows('select id from comments where space_id = $1', [id])
  expect([await ofSpace(spaceId), await ofSpace(otherSpace)]).toEqual([0, 1])
  for (const table of ['comment_replies', 'comment_reactions'])
    expect(await rows(`select from ${table} where comment_id = $1`, [commentId])).toBe(0)
  expect(await rows('select from change_request_reviews where change_request_id = $1', [changeRequestId])).toBe(0)
})
