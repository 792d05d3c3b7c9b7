import { roles, type Role } from '@recto/actor'
import { commentLimits } from '@recto/contracts-content'
import { query } from '@recto/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCommenter, commentedOn } from '../test/a-commenter.ts'
import { aContent, type ContentSetup, organization } from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

let content: ContentSetup
const { aPlace } = aCommenter(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
})
afterAll(() => content.stop())

const text = (markdown: string) => ({ body: { markdown } })
const recordedOf = async (comment: string) =>
  (await recordedChanges(content, { comment })).map(({ type, details }) =>
    [type, ...Object.values(details ?? {}).flat()].join(' '),
  )

describe.each(commentedOn)('a comment on %s', kind => {
  it('A comment is shown as it was posted, and counted at once', async () => {
    const { by, open, spaceId, changeRequest, a } = await aPlace(kind)
    const posted = await by('comment').post({ ...text('**Well** done'), page: a })
    const on = changeRequest
      ? `http://recto.test/v1/spaces/${spaceId}/change-requests/${changeRequest.id}`
      : `http://recto.test/v1/spaces/${spaceId}`
    expect(posted).toEqual({
      object: 'comment',
      id: expect.any(String),
      postedBy: expect.objectContaining({ id: 'user-comment', displayName: 'user-comment' }),
      postedAt: expect.any(String),
      reactions: [],
      body: { markdown: '**Well** done' },
      status: 'open',
      replies: 0,
      repliers: [],
      target: {
        space: spaceId,
        revision: expect.any(String),
        ...(changeRequest && { changeRequest: changeRequest.id }),
        page: expect.objectContaining({ id: a, title: 'A', path: 'a', outdated: false }),
      },
      urls: { location: `${on}/comments/${posted.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    })
    expect(await by('comment').get(posted.id)).toEqual(posted)
    expect((await by('comment').list()).items).toEqual([posted])
    expect([await open(), await open('read')]).toEqual([1, 0])
    expect(await recordedOf(posted.id)).toEqual(['comment.created'])
  })

  it('A comment is read and written from the role comment on, and by nobody who cannot read the space', async () => {
    const { by } = await aPlace(kind)
    const { id } = await by('comment', 'somebody').post(text('Here'))
    const { id: reply } = await by('comment', 'somebody').reply(id, text('There'))
    const calls = (role: Role | null | undefined) => [
      by(role).list(),
      by(role).get(id),
      by(role).post(text('Too')),
      by(role).update(id, { addedReactions: ['👍'] }),
      by(role).replies(id),
      by(role).getReply(id, reply),
      by(role).reply(id, text('Too')),
      by(role).updateReply(id, reply, { addedReactions: ['👍'] }),
      by(role).commenters(),
    ]
    const codes = async (role: Role | null | undefined) => {
      const results = await Promise.allSettled([...calls(role), by(role).remove(id), by(role).removeReply(id, reply)])
      return results.map(one => (one.status === 'fulfilled' ? 'ok' : (one.reason as { code: string }).code))
    }
    expect(new Set(await codes(undefined))).toEqual(new Set(['not_found']))
    expect(new Set(await codes(null))).toEqual(new Set(['not_found']))
    expect(new Set(await codes('read'))).toEqual(new Set(['forbidden']))
    const results = await Promise.allSettled(calls('comment'))
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'fulfilled'))
    await expect(by('create').remove(id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(by('create').removeReply(id, reply)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(by('admin').update(id, text('Mine'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(by('admin').updateReply(id, reply, text('Mine'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(await by('admin').get(id)).toMatchObject({ permissions: { edit: false, delete: true } })
  })

  it('A comment is edited by its author; the same text is no edit', async () => {
    const { by } = await aPlace(kind)
    const posted = await by('comment').post(text('One'))
    expect(await by('comment').update(posted.id, text('One'))).toEqual(posted)
    const edited = await by('comment').update(posted.id, text('Two'))
    expect(edited).toEqual({ ...posted, body: { markdown: 'Two' }, editedAt: expect.any(String) })
    expect(await by('comment').get(posted.id)).toEqual(edited)
    expect(await recordedOf(posted.id)).toEqual(['comment.created', 'comment.updated body'])
  })

  it('A comment is resolved and reopened by its author and by editors', async () => {
    const { by, open } = await aPlace(kind)
    const { id } = await by('comment').post(text('Fix'))
    await expect(by('comment', 'another').update(id, { resolved: true })).rejects.toMatchObject({ code: 'forbidden' })
    const resolved = await by('edit').update(id, { resolved: true })
    expect(resolved).toMatchObject({
      status: 'resolved',
      resolvedAt: expect.any(String),
      resolvedBy: { id: 'user-edit' },
    })
    expect(await by('admin').update(id, { resolved: true })).toMatchObject({ resolvedBy: { id: 'user-edit' } })
    expect(await open()).toBe(0)
    const reopened = await by('comment').update(id, { resolved: false })
    expect(reopened).toMatchObject({ status: 'open' })
    expect(reopened).not.toHaveProperty('resolvedAt')
    expect(await open()).toBe(1)
    expect(await recordedOf(id)).toEqual([
      'comment.created',
      'comment.updated status resolved',
      'comment.updated status open',
    ])
  })

  it('A comment is deleted with its replies and reactions, by its author and by admins', async () => {
    const { by, open } = await aPlace(kind)
    const first = await by('comment').post(text('1'))
    const second = await by('comment').post(text('2'))
    const { id: reply } = await by('edit').reply(first.id, text('Reply'))
    await by('edit').updateReply(first.id, reply, { addedReactions: ['👍'] })
    await by('edit').update(second.id, { resolved: true })
    await by('comment').remove(first.id)
    await by('admin').remove(second.id)
    await by('admin').remove(second.id)
    expect((await by('comment').list()).count).toBe(0)
    expect(await open()).toBe(0)
    await expect(by('comment').getReply(first.id, reply)).rejects.toMatchObject({ code: 'not_found' })
    const left = await query<{ n: number }>(
      content.service.db,
      `select (select count(*) from comment_replies where comment_id = $1) + (select count(*) from comment_reactions where comment_id = $1) as n`,
      [first.id],
    )
    expect(left.map(({ n }) => Number(n))).toEqual([0])
    expect((await recordedOf(first.id)).at(-1)).toBe('comment.deleted')
  })

  it('A comment has one reaction per user and emoji, whatever the spelling of the emoji', async () => {
    const { by } = await aPlace(kind)
    const { id } = await by('comment').post(text('Vote'))
    await by('comment').update(id, { addedReactions: ['1f44d', '👍'] })
    await by('comment').update(id, { addedReactions: ['🎉'] })
    await by('comment').update(id, { addedReactions: ['👍'] })
    const { reactions } = await by('edit').update(id, { addedReactions: ['👍'], removedReactions: ['🎉'] })
    const summarize = (list: typeof reactions) =>
      list.map(({ emoji, count, users }) => [emoji, count, users.map(({ user }) => user.id)])
    expect(summarize(reactions)).toEqual([
      ['👍', 2, ['user-comment', 'user-edit']],
      ['🎉', 1, ['user-comment']],
    ])
    const after = await by('comment').update(id, { removedReactions: ['1F44D', '❤️'] })
    expect(summarize(after.reactions)).toEqual([
      ['🎉', 1, ['user-comment']],
      ['👍', 1, ['user-edit']],
    ])
    expect((await recordedOf(id)).filter(name => name === 'comment.updated reactions')).toHaveLength(4)
  })

  it('A comment has replies, which are edited, reacted to and deleted', async () => {
    const { by, open } = await aPlace(kind)
    const comment = await by('comment').post(text('Question'))
    const reply = await by('edit').reply(comment.id, text('Answer'))
    await by('comment').reply(comment.id, text('Thanks'))
    expect(reply).toMatchObject({
      object: 'comment-reply',
      postedBy: { id: 'user-edit' },
      body: { markdown: 'Answer' },
      urls: { location: `${comment.urls.location}/replies/${reply.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    })
    expect([(await by('comment').get(comment.id)).replies, await open()]).toEqual([2, 1])
    await by('edit').updateReply(comment.id, reply.id, text('Better'))
    const edited = await by('edit').updateReply(comment.id, reply.id, { addedReactions: ['👍'] })
    expect(edited).toMatchObject({
      body: { markdown: 'Better' },
      editedAt: expect.any(String),
      reactions: [{ count: 1 }],
    })
    expect(await by('edit').getReply(comment.id, reply.id)).toEqual(edited)
    const { items, count } = await by('edit').replies(comment.id)
    expect([items.map(({ body }) => body), count]).toEqual([[{ markdown: 'Better' }, { markdown: 'Thanks' }], 2])
    await by('edit').removeReply(comment.id, reply.id)
    expect((await by('comment').get(comment.id)).replies).toBe(1)
    expect(await recordedOf(comment.id)).toEqual([
      'comment.created',
      'comment-reply.created',
      'comment-reply.created',
      'comment-reply.updated body',
      'comment-reply.updated reactions',
      'comment-reply.deleted',
    ])
  })

  it('A comment is not found in another place', async () => {
    const here = await aPlace(kind)
    const elsewhere = await aPlace(kind)
    const { id } = await here.by('comment').post(text('Here'))
    const { id: reply } = await here.by('comment').reply(id, text('Reply'))
    const other = await elsewhere.by('comment').post(text('There'))
    for (const request of [
      elsewhere.by('admin').get(id),
      elsewhere.by('admin').update(id, { resolved: true }),
      elsewhere.by('admin').reply(id, text('No')),
      elsewhere.by('admin').replies(id),
      elsewhere.by('admin').getReply(other.id, reply),
      elsewhere.by('admin').updateReply(other.id, reply, text('No')),
      here.by('admin').get('nothing'),
    ])
      await expect(request).rejects.toMatchObject({ code: 'not_found' })
    await elsewhere.by('admin').remove(id)
    await elsewhere.by('admin').removeReply(other.id, reply)
    expect(await here.by('comment').get(id)).toMatchObject({ replies: 1 })
  })

  it.each([
    [{}, 'body.body'],
    [{ body: 'text' }, 'body.body'],
    [text('x'.repeat(commentLimits.markdown + 1)), 'body.body.markdown'],
    [text('a\0'), 'body.body.markdown'],
    [
      {
        body: { document: { object: 'document', nodes: [{ object: 'block', type: 'paragraph', meta: { id: '\0' } }] } },
      },
      'body.body.document',
    ],
    [{ ...text(''), node: 'k' }, 'body.node'],
    [{ ...text(''), tableCell: { record: 'r', definition: 'd' } }, 'body.tableCell'],
  ])('An invalid comment is refused, and the invalid field named (case %#)', async (body, path) => {
    const { by, open } = await aPlace(kind)
    const reply = by('comment').post(body as never)
    await expect(reply).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect(await open()).toBe(0)
  })

  it('A comment with a too long or too deep document, or too many reactions, is refused', async () => {
    const { by } = await aPlace(kind)
    const paragraph = (value: string) => ({
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }],
    })
    const long = { object: 'document', nodes: [paragraph('x'.repeat(commentLimits.document))] }
    await expect(by('comment').post({ body: { document: long as never } })).rejects.toMatchObject({
      details: [{ path: 'body.body.document' }],
    })
    const { id } = await by('comment').post(text('Vote'))
    const emojis = Array.from({ length: commentLimits.emojis + 1 }, (_, at) => (0x1f400 + at).toString(16))
    const [last = '', ...rest] = emojis
    await by('comment').update(id, { addedReactions: rest })
    await expect(by('edit').update(id, { addedReactions: [last] })).rejects.toMatchObject({
      details: [{ path: 'body.addedReactions' }],
    })
    await expect(by('edit').update(id, { addedReactions: ['thumbs up'] })).rejects.toMatchObject({
      details: [{ path: 'body.addedReactions.0' }],
    })
  })
})
