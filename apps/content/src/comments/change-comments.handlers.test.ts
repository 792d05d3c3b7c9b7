import { roles } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCommenter } from '../test/a-commenter.ts'
import { aContent, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
const { aPlace, as } = aCommenter(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
})
afterAll(() => content.stop())

const text = (markdown: string) => ({ body: { markdown } })
const missing = { code: 'not_found' }

type Seen = Partial<Parameters<typeof visitorActor>[0]>
const visitor = (spaceId: string, seen: Seen) => {
  const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [spaceId], claims: {}, ...seen })
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}

/** A change request with a resolved comment on a page, an open one on all of it, and replies. */
async function aDiscussion() {
  const { spaceId, changeRequest, by, a, d } = await aPlace('a change request')
  const changeRequestId = changeRequest?.id ?? ''
  const first = await by('comment').post({ ...text('**Really** <b>so</b>?'), page: a })
  await by('edit').reply(first.id, text('Yes.'))
  await by('comment').update(first.id, { resolved: true })
  await by('edit').post(text('Well done'))
  return { spaceId, a, d, by, params: { spaceId, changeRequestId } }
}

describe('the comments of a change request beside its changes', () => {
  it('Comments come oldest first with their replies, and tell of people their names alone', async () => {
    const { a, d, params } = await aDiscussion()
    const reply = await as('comment').listCommentsBesideChanges({ params })
    expect(reply).toMatchObject({
      count: 2,
      items: [
        {
          object: 'change-comment',
          author: 'user-comment',
          markdown: '**Really** <b>so</b>?',
          status: 'resolved',
          page: { id: a, title: 'A' },
          outdated: false,
          replies: [{ author: 'user-edit', markdown: 'Yes.' }],
          replyCount: 1,
        },
        { author: 'user-edit', markdown: 'Well done', status: 'open', outdated: false, replies: [], replyCount: 0 },
      ],
    })
    expect(JSON.stringify(reply)).not.toMatch(/email|postedBy|urls/)
    const query = (targetPage: string) => as('comment').listCommentsBesideChanges({ params, query: { targetPage } })
    expect([(await query(a)).count, (await query(d)).count]).toEqual([1, 0])
  })

  it('Comments are read from the role comment on', async () => {
    const { params } = await aDiscussion()
    await expect(as('read').listCommentsBesideChanges({ params })).rejects.toMatchObject({ code: 'forbidden' })
    for (const role of [null, undefined])
      await expect(content.as(role).listCommentsBesideChanges({ params })).rejects.toMatchObject(missing)
  })
})

describe('a visitor who previews a site', () => {
  it('A visitor reads the comments that the member may read for whom their preview is', async () => {
    const { spaceId, params } = await aDiscussion()
    const { count, items } = await visitor(spaceId, {
      previews: true,
      member: 'user-comment',
    }).listCommentsBesideChanges({ params })
    expect([count, items[0]?.author]).toEqual([2, 'user-comment'])
  })

  it.each<[string, Seen]>([
    ['of a preview that is for nobody', { previews: true }],
    ['of what is published', {}],
    ['who has the link to the change request', { changeRequest: 'own' }],
    ['with a member, and without a preview', { changeRequest: 'own', member: 'user-admin' }],
    ['of a member who may only read', { previews: true, member: 'user-read' }],
    ['of somebody who is no member', { previews: true, member: 'user-of-another-organization' }],
    ['of another site', { previews: true, member: 'user-admin', spaces: ['another'] }],
    ['of another organization', { previews: true, member: 'user-admin', organization: 'another' }],
  ])('A visitor %s reads none', async (_case, seen) => {
    const { spaceId, params } = await aDiscussion()
    const own = seen.changeRequest === undefined ? seen : { ...seen, changeRequest: params.changeRequestId }
    await expect(visitor(spaceId, own).listCommentsBesideChanges({ params })).rejects.toMatchObject(missing)
  })

  it('A visitor reads none from the moment on at which the member lost the right to', async () => {
    const { spaceId, params } = await aDiscussion()
    const user = 'user-who-leaves'
    const preview = visitor(spaceId, { previews: true, member: user })
    for (const role of ['comment', 'read', 'admin', null, undefined] as const) {
      content.people.remove(user)
      if (role !== undefined) content.people.add({ organization, user, role })
      const comments = preview.listCommentsBesideChanges({ params })
      if (role === 'comment' || role === 'admin') expect(await comments).toMatchObject({ count: 2 })
      else await expect(comments).rejects.toMatchObject(missing)
    }
  })

  it('A visitor reads and writes no comments by any other operation', async () => {
    const { spaceId, params } = await aDiscussion()
    const preview = visitor(spaceId, { previews: true, member: 'user-admin' })
    await expect(preview.listCommentsInChangeRequest({ params })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(preview.postCommentInChangeRequest({ params, body: text('No') })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
