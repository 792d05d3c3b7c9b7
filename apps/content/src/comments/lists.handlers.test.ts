import { roles } from '@recto/actor'
import { query } from '@recto/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCommenter, commentedOn, type Comments } from '../test/a-commenter.ts'
import { aContent, type ContentSetup, organization } from '../test/content-setup.ts'
import { statementsOf } from '../test/statements.ts'

let content: ContentSetup
const { aPlace, as } = aCommenter(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
  content.people.add({ organization, user: 'another', role: 'comment' })
})
afterAll(() => content.stop())

const text = (markdown: string) => ({ body: { markdown } })
const textsOf = async (reply: ReturnType<Comments['list']>) => {
  const { items, count } = await reply
  expect(count).toBe(items.length)
  return items.map(({ body }) => ('markdown' in body ? body.markdown : undefined))
}

describe.each(commentedOn)('the comments on %s', kind => {
  it('Comments are filtered by status, page and authors, and ordered', async () => {
    const { by, a, b } = await aPlace(kind)
    const first = await by('comment').post({ ...text('first'), page: a })
    await by('edit').post({ ...text('second'), page: a })
    await by('comment', 'another').post({ ...text('third'), page: b })
    await by('comment').update(first.id, { resolved: true })
    const listTexts = (filter: Parameters<Comments['list']>[0]) => textsOf(by('comment').list(filter))
    expect(await listTexts({})).toEqual(['third', 'second', 'first'])
    expect(await listTexts({ order: 'asc' })).toEqual(['first', 'second', 'third'])
    expect(await listTexts({ status: 'open' })).toEqual(['third', 'second'])
    expect(await listTexts({ status: 'resolved' })).toEqual(['first'])
    expect(await listTexts({ targetPage: a })).toEqual(['second', 'first'])
    expect(await listTexts({ targetPage: 'nothing' })).toEqual([])
    expect(await listTexts({ authors: 'another' })).toEqual(['third'])
    expect(await listTexts({ authors: ['another', 'user-edit'], targetPage: a, status: 'open' })).toEqual(['second'])
    await expect(listTexts({ status: 'closed' as never })).rejects.toMatchObject({
      details: [{ path: 'query.status' }],
    })
  })

  it('Comments are paged, also while others are posted and deleted', async () => {
    const { by } = await aPlace(kind)
    const posted = []
    for (const name of ['1', '2', '3', '4', '5']) posted.push(await by('comment').post(text(name)))
    const page = await by('comment').list({ limit: 2 })
    expect(page).toMatchObject({ count: 5, items: [{ body: { markdown: '5' } }, { body: { markdown: '4' } }] })
    await by('comment').post(text('6'))
    await by('comment').remove(posted[4]?.id ?? '')
    const next = await by('comment').list({ limit: 2, ...page.next })
    expect(next.items.map(({ body }) => body)).toEqual([{ markdown: '3' }, { markdown: '2' }])
    const last = await by('comment').list({ limit: 2, ...next.next })
    expect(last.items.map(({ body }) => body)).toEqual([{ markdown: '1' }])
    expect(last.next).toBeUndefined()
  })

  it('A comment says who replied to it and how often, the latest first', async () => {
    const { by } = await aPlace(kind)
    const { id, repliers } = await by('comment').post(text('Question'))
    expect(repliers).toEqual([])
    await by('comment').reply(id, text('1'))
    await by('comment', 'another').reply(id, text('2'))
    const last = await by('comment').reply(id, text('3'))
    const { items } = await by('comment').list({})
    expect(items[0]?.repliers).toMatchObject([
      { user: { id: 'user-comment' }, count: 2, updatedAt: last.postedAt },
      { user: { id: 'another' }, count: 1 },
    ])
  })

  it('Replies to a comment are listed in pages, oldest first', async () => {
    const { by } = await aPlace(kind)
    const { id } = await by('comment').post(text('Question'))
    for (const name of ['1', '2', '3']) await by('comment').reply(id, text(name))
    const page = await by('comment').replies(id, { limit: 2 })
    expect(page).toMatchObject({ count: 3, items: [{ body: { markdown: '1' } }, { body: { markdown: '2' } }] })
    const { items } = await by('comment').replies(id, { limit: 2, ...page.next })
    expect(items).toMatchObject([{ body: { markdown: '3' } }])
  })

  it('Commenters are the members who posted comments and replies', async () => {
    const { by } = await aPlace(kind)
    const { id } = await by('edit').post(text('One'))
    await by('comment').post(text('Two'))
    await by('edit').post(text('Three'))
    await by('comment', 'another').reply(id, text('Four'))
    await by('comment', 'gone').reply(id, text('Five'))
    const { items, count } = await by('comment').commenters()
    expect(items).toMatchObject([
      { object: 'member', id: 'user-edit', role: 'edit', user: { displayName: 'user-edit' } },
      { id: 'user-comment' },
      { id: 'another' },
    ])
    expect(count).toBe(3)
    const page = await by('comment').commenters({ limit: 2 })
    expect((await by('comment').commenters({ limit: 2, ...page.next })).items).toMatchObject([{ id: 'another' }])
  })

  it('Comments are counted right, however many users change them at once', async () => {
    const { by, open } = await aPlace(kind)
    const posted = await Promise.all(Array.from({ length: 12 }, (_, at) => by('comment').post(text(String(at)))))
    expect(await open()).toBe(12)
    const [first, ...rest] = posted.map(({ id }) => id)
    await Promise.all([
      // All six resolve the same comment, which counts once.
      ...Array.from({ length: 6 }, () => by('edit').update(first ?? '', { resolved: true })),
      ...rest.slice(0, 4).map(id => by('comment').remove(id)),
      ...rest.slice(0, 4).map(id => by('admin').remove(id)),
      ...rest.slice(4, 8).map(id => by('comment').update(id, { resolved: true })),
      ...Array.from({ length: 6 }, () => by('comment').reply(rest[9] ?? '', text('Reply'))),
      ...Array.from({ length: 6 }, () => by('edit').update(rest[9] ?? '', { addedReactions: ['👍'] })),
    ])
    expect(await open()).toBe(3)
    expect((await by('comment').list({ status: 'open' })).count).toBe(3)
    const busy = await by('comment').get(rest[9] ?? '')
    expect([busy.replies, busy.reactions]).toMatchObject([6, [{ count: 1 }]])
  })

  it('A list of comments takes as many queries and calls for a thousand as for one', async () => {
    const { by, a } = await aPlace(kind)
    const { id } = await by('comment').post({ ...text('First'), page: a })
    await by('edit').update(id, { addedReactions: ['👍'] })
    const list = async () => void (await by('comment').list({ limit: 1000, format: 'document' }))
    await list()
    const { db } = content.service
    const one = await statementsOf(db, list)
    await query(
      db,
      `insert into comments select 'copy-' || n || id, space_id, change_request_id, review_id, revision, page_id, target, body, status,
         resolved_at, resolved_by, replies, 'user-' || n % 50, created_at, edited_at from comments, generate_series(1, 999) as n where id = $1`,
      [id],
    )
    await query(
      db,
      `insert into comment_reactions select id, null, id, '1f44d', '👍', 'user-edit', now() from comments where id like 'copy-%' || $1`,
      [id],
    )
    const before = content.people.answered()
    const page = await by('comment').list({ limit: 1000, format: 'document' })
    expect([page.items.length, page.count, content.people.answered() - before]).toEqual([1000, 1000, 1])
    expect(await statementsOf(db, list)).toBe(one)
  })
})

it('A merge, an edit and comments at once leave right counts and no deadlock', async () => {
  const { by, changeRequest, spaceId, change, open } = await aPlace('a change request')
  const params = { spaceId, changeRequestId: changeRequest?.id ?? '' }
  await change({ operation: 'insert_page', title: 'New' })
  const { id } = await by('comment').post(text('First'))
  await Promise.all([
    as('review').mergeChangeRequest({ params }),
    ...Array.from({ length: 8 }, (_, at) => by('comment').post(text(String(at)))),
    ...Array.from({ length: 4 }, (_, at) => by('comment').reply(id, text(String(at)))),
    as('comment').postCommentInSpace({ params: { spaceId }, body: text('Main') }),
  ])
  expect(await open()).toBe(9)
  expect(await as('comment').getSpaceById({ params: { spaceId } })).toMatchObject({ comments: 1 })
})
