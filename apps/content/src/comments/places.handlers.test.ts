import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCommenter } from '../test/a-commenter.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, conditional, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
const { aPlace, as } = aCommenter(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
})
afterAll(() => content.stop())

const text = (markdown: string) => ({ body: { markdown } })

describe('a comment', () => {
  it('A comment on a change request is not one of main content', async () => {
    const { spaceId, changeRequest, by } = await aPlace('a change request')
    const { id } = await by('comment').post(text('Proposed'))
    const main = as('comment')
    expect(await main.listCommentsInSpace({ params: { spaceId } })).toMatchObject({ count: 0 })
    await expect(main.getCommentInSpace({ params: { spaceId, commentId: id } })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await main.getSpaceById({ params: { spaceId } })).toMatchObject({ comments: 0 })
    const params = { spaceId, changeRequestId: changeRequest?.id ?? '' }
    const { items } = await main.getContributorsByChangeRequestId({ params, query: {} })
    expect(items).toMatchObject([{ user: { id: 'user-comment' }, actionType: 'comment', count: 1 }])
    const { updatedAt } = await main.getChangeRequestById({ params })
    expect(updatedAt).toBe(changeRequest?.updatedAt)
  })

  it('A comment is still possible on a merged and on an archived change request', async () => {
    const { spaceId, changeRequest, by, change, open } = await aPlace('a change request')
    await change(insert('New'))
    await as('review').mergeChangeRequest({ params: { spaceId, changeRequestId: changeRequest?.id ?? '' } })
    await by('comment').post(text('Merged at last'))
    expect(await open()).toBe(1)
    const other = await aPlace('a change request')
    const params = { spaceId: other.spaceId, changeRequestId: other.changeRequest?.id ?? '' }
    await as('edit').updateChangeRequestById({ params, body: { status: 'archived' } })
    expect(await other.by('comment').post(text('Why?'))).toMatchObject({ status: 'open' })
  })

  it('A reply to a comment has no status of its own', async () => {
    const { spaceId, changeRequest, by, open } = await aPlace('a change request')
    const { id: commentId } = await by('comment').post(text('?'))
    const { id: commentReplyId } = await by('comment').reply(commentId, text('!'))
    const params = { spaceId, changeRequestId: changeRequest?.id ?? '', commentId, commentReplyId }
    const reply = await as('comment').updateCommentReplyInChangeRequest({ params, body: { resolved: true } })
    expect(reply).not.toHaveProperty('status')
    expect(await open()).toBe(1)
  })

  it('A comment nested deeper than the stack is refused', async () => {
    const { spaceId } = await aPlace('main content')
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const node = `{"object":"block","type":"integration","data":{"deep":${nested}}}`
    const body = `{"body":{"document":{"object":"document","nodes":[${node}]}}}`
    const reply = conditional(content, 'postCommentInSpace', { params: { spaceId }, body, conditions: {} })
    await expect(reply).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('A comment in a deleted space can be read by users who may restore the space, and not written', async () => {
    const { spaceId, by } = await aPlace('main content')
    const { id } = await by('create').post(text('Before'))
    await as('create').deleteSpaceById({ params: { spaceId } })
    expect(await by('create').get(id)).toMatchObject({
      permissions: { view: true, edit: false, reply: false, delete: false },
    })
    for (const request of [
      by('create').post(text('After')),
      by('create').update(id, text('No')),
      by('create').remove(id),
    ])
      await expect(request).rejects.toMatchObject({ code: 'conflict' })
    await expect(by('comment').get(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A comment is shown without names while identity is down', async () => {
    const { by } = await aPlace('main content')
    const { id } = await by('comment').post(text('Here'))
    await content.people.stop()
    try {
      expect(await by('comment').get(id)).toMatchObject({
        postedBy: { id: 'user-comment', displayName: 'Unknown user' },
      })
    } finally {
      await content.people.start()
    }
  })
})
