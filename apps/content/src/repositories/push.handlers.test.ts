import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sweep } from '../jobs/purge.ts'
import { loadFileIndex, loadPageIndex } from '../pages/revision-index.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { anEditor, insert } from '../test/an-editor.ts'
import { type PushFields, pushesTo } from '../test/a-push.ts'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'
import { expireUploads } from '../uploads/expire-uploads.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const editor = anEditor(() => content)
const { anUpload, accept, applied, push } = pushesTo(() => content)
const db = () => content.service.db
const hour = 3_600_000

const recordsOf = async (revision: string) => {
  const row = await revisions.get(db(), revision)
  const pages = (await loadPageIndex(db(), row)).inOrder()
  return { row, pages, files: (await loadFileIndex(db(), row.filesRoot)).inOrder }
}
const lock = (spaceId: string) =>
  content.as('admin').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
const aChangeRequest = async (spaceId: string) =>
  content.as('edit').createChangeRequest({ params: { spaceId }, body: { subject: 'One' } })
const archive = (spaceId: string, changeRequestId: string) =>
  content.as('edit').updateChangeRequestById({ params: { spaceId, changeRequestId }, body: { status: 'archived' } })
const folder = { pages: { guide: '# Guide\n', other: '# Other\n' }, files: { 'a.txt': 'a' } }

describe('A push to main content', () => {
  it('A push into an empty space makes its content, which names no commit and no repository', async () => {
    const spaceId = await aSpace(content)
    const outcome = await push(spaceId, folder, { base: await editor.revisionOf(spaceId) })
    expect(outcome).toEqual({
      state: 'success',
      revision: await editor.revisionOf(spaceId),
      commit: 'c0ffee',
      isPartial: false,
      warnings: [],
    })
    const { row, pages, files } = await recordsOf(outcome.revision)
    expect(row).toMatchObject({ git: null, createdBy: 'user-edit', type: 'edits' })
    expect(pages.map(({ file, git }) => ({ file, git }))).toEqual([{ file: 'guide.md' }, { file: 'other.md' }])
    expect(files).toMatchObject([{ name: 'a.txt', file: 'assets/a.txt' }])
    expect(await spaces.find(db(), spaceId)).toMatchObject({ gitSync: null })
  })

  it('A second push changes what differs alone, and one of the same folder nothing', async () => {
    const spaceId = await aSpace(content)
    const first = await push(spaceId, folder)
    const before = await recordsOf(first.revision)
    const next = { ...folder, pages: { ...folder.pages, other: '# Other, again\n' } }
    const second = await push(spaceId, next, { base: first.revision })
    const after = await recordsOf(second.revision)
    expect(after.pages[0]).toEqual(before.pages[0])
    expect(after.pages[1]).toMatchObject({ id: before.pages[1]?.id, file: 'other.md' })
    expect(after.pages[1]?.document).not.toBe(before.pages[1]?.document)
    expect(after.files).toEqual(before.files)
    expect(await push(spaceId, next, { base: second.revision })).toMatchObject({ revision: second.revision })
  })

  it('A push removes what the folder lacks, and takes its texts byte for byte', async () => {
    const spaceId = await aSpace(content)
    await editor.change(spaceId, insert('Guide'), insert('Old'))
    const page = await editor.idOf(spaceId, 'guide')
    await editor.change(spaceId, {
      operation: 'update_page',
      page,
      icon: 'rocket',
      description: 'About it',
      emoji: '1f680',
    })
    const pages = { guide: '---\nicon: star\n---\n\n# Guide' }
    const { revision } = await push(spaceId, { pages, fields: { guide: { title: 'Guide' } } })
    const after = await recordsOf(revision)
    expect(after.pages).toHaveLength(1)
    expect(after.pages[0]).toMatchObject({ id: page, file: 'guide.md' })
    expect(Object.keys(after.pages[0] ?? {})).toEqual(expect.not.arrayContaining(['description', 'emoji']))
    const [row] = await query<{ bytes: Buffer }>(db(), 'select bytes from documents where hash = $1', [
      after.pages[0]?.document,
    ])
    expect(row?.bytes.toString()).toBe(pages.guide)
  })

  it('A push keeps the address of the first page, whose file an export calls README.md', async () => {
    const spaceId = await aSpace(content)
    await editor.change(spaceId, insert('Start here'), insert('Other'))
    const { pages } = await recordsOf(await editor.revisionOf(spaceId))
    const readme = { title: 'Start here', slug: 'readme', git: { path: 'README.md', oid: 'a'.repeat(40) } }
    const texts = { 'start-here': '# Start here\n', other: '# Changed\n' }
    const { revision } = await push(spaceId, { pages: texts, fields: { 'start-here': readme } })
    const after = await recordsOf(revision)
    expect(after.pages.map(({ id, slug }) => ({ id, slug }))).toEqual([
      { id: pages[0]?.id, slug: 'start-here' },
      { id: pages[1]?.id, slug: 'other' },
    ])
  })

  it('A push to content of a repository leaves the base of its synchronisation as it is', async () => {
    const spaceId = await aSpace(content)
    const imported = await importInto(content, spaceId, folder)
    const before = await recordsOf(imported)
    const next = { ...folder, pages: { ...folder.pages, more: '# More\n' } }
    const { revision } = await push(spaceId, next, { base: imported })
    const { pages } = await recordsOf(revision)
    expect(pages.slice(0, 2)).toEqual(before.pages)
    expect(pages[2]).toMatchObject({ file: 'more.md' })
    expect((await revisions.listSynchronised(db(), spaceId)).map(({ id }) => id)).toEqual([imported])
    expect((await spaces.find(db(), spaceId))?.gitSync).toMatchObject({ repoName: 'docs' })
  })

  it('A push whose base is not main content any more changes nothing, unless it is forced', async () => {
    const spaceId = await aSpace(content)
    const base = await editor.revisionOf(spaceId)
    await editor.change(spaceId, insert('New'))
    const main = await editor.revisionOf(spaceId)
    const body = await applied(spaceId, folder, { base })
    const { outcome } = await content.calls.applyGitOperation({ body })
    expect(outcome).toMatchObject({ state: 'failure', error: { code: 'content_moved' }, revision: main })
    expect(await editor.revisionOf(spaceId)).toBe(main)
    // A refusal is no outcome: the next attempt decides again.
    const forced = { ...body, lease: 2, work: { ...body.work, force: true } }
    expect(await content.calls.applyGitOperation({ body: forced })).toMatchObject({ outcome: { state: 'success' } })
    expect(await editor.pathsOf(spaceId)).toEqual(['guide', 'other'])
  })

  it('A push is applied once, however often it is requested', async () => {
    const spaceId = await aSpace(content)
    const body = await applied(spaceId, folder, { subject: 'A folder' })
    const replies = await Promise.all([1, 2, 3].map(() => content.calls.applyGitOperation({ body })))
    replies.push(await content.calls.applyGitOperation({ body: { ...body, lease: 2 } }))
    expect(new Set(replies.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1)
    expect(
      await content.as('read').listChangeRequestsForSpace({ params: { spaceId }, query: { status: 'draft' } }),
    ).toMatchObject({
      count: 1,
    })
    const { operationId, createdBy, work } = body
    const again = { operationId, lease: 3, spaceId, holdSeconds: 60, createdBy, upload: work.upload }
    expect(await content.calls.openPush({ body: again })).toMatchObject({ known: [], applied: replies[0]?.outcome })
  })
})

describe('A push to a change request', () => {
  it('A push with a subject creates a change request, also while the space is locked, and its merge brings the folder', async () => {
    const spaceId = await aSpace(content)
    const base = await editor.revisionOf(spaceId)
    await lock(spaceId)
    const { changeRequest = '', revision } = await push(spaceId, folder, { base, subject: 'A folder' })
    const params = { spaceId, changeRequestId: changeRequest }
    expect(await content.as('read').getChangeRequestById({ params })).toMatchObject({
      subject: 'A folder',
      number: 1,
      revision,
      status: 'draft',
      createdBy: { id: 'user-edit' },
    })
    expect(await editor.revisionOf(spaceId)).toBe(base)
    await content.as('review').mergeChangeRequest({ params })
    expect(await editor.pathsOf(spaceId)).toEqual(['guide', 'other'])
  })

  it('A change request of former main content keeps what changed in main content since, when it is merged', async () => {
    const spaceId = await aSpace(content)
    const { revision: base } = await push(spaceId, folder)
    await editor.change(spaceId, insert('New'))
    const next = { ...folder, pages: { ...folder.pages, other: '# Other, again\n' } }
    const { changeRequest = '' } = await push(spaceId, next, { base, subject: 'Again' })
    await content.as('review').mergeChangeRequest({ params: { spaceId, changeRequestId: changeRequest } })
    expect((await editor.pathsOf(spaceId)).toSorted()).toEqual(['guide', 'new', 'other'])
    expect(await editor.page(spaceId, 'other', 'markdown')).toMatchObject({
      markdown: expect.stringContaining('again'),
    })
  })

  it('A push to a change request by its id writes another revision of it', async () => {
    const spaceId = await aSpace(content)
    const { id, revision: base } = await aChangeRequest(spaceId)
    const first = await push(spaceId, folder, { base, changeRequest: id })
    const second = await push(spaceId, { pages: { guide: '# Guide\n' } }, { base, changeRequest: id })
    const changeRequest = await content.as('read').getChangeRequestById({ params: { spaceId, changeRequestId: id } })
    expect([first.changeRequest, second.changeRequest, changeRequest.revision]).toEqual([id, id, second.revision])
    const idsOf = async (revision: string) => (await recordsOf(revision)).pages.map(page => page.id)
    expect(await idsOf(second.revision)).toEqual((await idsOf(first.revision)).slice(0, 1))
  })

  it('A change request that ends before a push is applied refuses it', async () => {
    const spaceId = await aSpace(content)
    const { id } = await aChangeRequest(spaceId)
    const body = await applied(spaceId, folder, { changeRequest: id })
    await archive(spaceId, id)
    const { outcome } = await content.calls.applyGitOperation({ body })
    expect(outcome).toMatchObject({
      state: 'failure',
      error: { code: 'content_closed', message: 'The change request #1 is archived' },
    })
  })

  it('A space that is locked, or deleted, before a push is applied refuses it', async () => {
    const locked = await aSpace(content)
    const deleted = await aSpace(content)
    const bodies = [await applied(locked, folder), await applied(deleted, folder, { subject: 'One' })]
    await lock(locked)
    await content.as('admin').deleteSpaceById({ params: { spaceId: deleted } })
    const outcomes = await Promise.all(bodies.map(body => content.calls.applyGitOperation({ body })))
    expect(outcomes.map(({ outcome }) => outcome.error)).toEqual([
      { code: 'content_closed', message: 'The space is locked' },
      { code: 'content_closed', message: 'The space is deleted' },
    ])
  })
})

describe('The acceptance of a push', () => {
  it.each<[string, (spaceId: string) => Promise<PushFields> | PushFields, string | undefined]>([
    ['by an editor', () => ({}), undefined],
    ['by a reader', () => ({ role: 'read' }), 'forbidden'],
    ['by a commenter, into a change request', () => ({ role: 'comment', subject: 'One' }), 'forbidden'],
    ['by a guest', () => ({ role: null }), 'not_found'],
    ['by an outsider', () => ({ role: undefined }), 'not_found'],
    ['of main content', async spaceId => ({ base: await editor.revisionOf(spaceId) }), undefined],
    ['of another revision', () => ({ base: 'other' }), 'conflict'],
    ['of another revision, by force', () => ({ base: 'other', force: true }), undefined],
    ['of another revision, into a new change request', () => ({ base: 'other', subject: 'One' }), 'conflict'],
    ['to a locked space', async spaceId => (await lock(spaceId), {}), 'conflict'],
    [
      'into a new change request of a locked space',
      async spaceId => (await lock(spaceId), { subject: 'One' }),
      undefined,
    ],
    ['to a change request', async spaceId => ({ changeRequest: (await aChangeRequest(spaceId)).id }), undefined],
    ['to a change request that is missing', () => ({ changeRequest: 'other' }), 'not_found'],
    [
      'to a change request that is archived',
      async spaceId => {
        const { id } = await aChangeRequest(spaceId)
        await archive(spaceId, id)
        return { changeRequest: id }
      },
      'conflict',
    ],
    ['of an upload of somebody else', async () => ({ upload: (await anUpload('admin')).key }), 'not_found'],
    ['of an upload that is missing', () => ({ upload: 'other' }), 'not_found'],
    [
      'of an upload whose bytes were not sent',
      async () => ({ upload: (await anUpload('edit', { isComplete: false })).key }),
      'conflict',
    ],
  ])('A push %s is accepted, or refused with its code', async (_which, fields, expected) => {
    const spaceId = await aSpace(content)
    const push = await fields(spaceId)
    // A missing key would stand for an editor.
    const request = 'role' in push && push.role === undefined ? outsider(spaceId, push) : accept(spaceId, push)
    expect(await failure(request)).toBe(expected)
  })

  it('A deleted space is a conflict for who could restore it', async () => {
    const spaceId = await aSpace(content, { deletedAt: new Date() })
    const upload = (await anUpload('admin')).key
    expect(await failure(accept(spaceId, { role: 'admin', upload }))).toBe('conflict')
  })

  it('A change request is named by its number, too', async () => {
    const spaceId = await aSpace(content)
    const { id, number } = await aChangeRequest(spaceId)
    expect(await accept(spaceId, { changeRequest: String(number) })).toMatchObject({ changeRequest: id })
  })

  it('An upload stays for its push, and expires like others once the push is applied', async () => {
    const spaceId = await aSpace(content)
    const { key: upload, hash } = await anUpload()
    await accept(spaceId, { upload })
    const later = (hours: number) => new Date(Date.now() + hours * hour)
    const expire = async (hours: number) => {
      await expireUploads(db(), { now: later(hours) })
      await sweep({ db: db(), blobs: content.blobs, now: later(hours + 2) })
      return content.blobs.has(hash)
    }
    expect(await expire(48)).toBe(true)
    const body = await applied(spaceId, folder, { upload })
    const { operationId, createdBy } = body
    const attempt = { operationId, lease: 1, spaceId, holdSeconds: 60, createdBy, upload }
    expect(await content.calls.openPush({ body: attempt })).toMatchObject({ pack: hash })
    await content.calls.applyGitOperation({ body })
    await query(db(), `update repository_work set held_until = now() where outcome is null`)
    expect(await expire(25)).toBe(false)
    const late = { ...attempt, operationId: createId() }
    expect(await content.calls.openPush({ body: late })).not.toHaveProperty('pack')
  })

  it('The upload of somebody else is not opened', async () => {
    const spaceId = await aSpace(content)
    const { key: upload } = await anUpload('admin')
    const body = { operationId: createId(), lease: 1, spaceId, holdSeconds: 60, createdBy: 'user-edit', upload }
    expect(await content.calls.openPush({ body })).not.toHaveProperty('pack')
  })
})

const outsider = async (spaceId: string, fields: PushFields) => {
  const actor = content.actorOf(undefined)
  const { key: upload } = await anUpload()
  return content.calls.acceptPush({ body: { spaceId, actor, upload, force: false, ...fields } })
}
