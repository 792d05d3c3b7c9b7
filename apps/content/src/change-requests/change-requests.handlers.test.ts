import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { roles } from '@recto/actor'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto } from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, aTree, change, propose, edit, get, organization, revisionOf } = aProposer(() => content)
const paramsOf = ({ space, id }: { space: string; id: string }) => ({ spaceId: space, changeRequestId: id })
const update = (changeRequest: { space: string; id: string }, body: object) =>
  as('edit').updateChangeRequestById({ params: paramsOf(changeRequest), body })
const counts = async (spaceId: string) => {
  const space = await as('read').getSpaceById({ params: { spaceId } })
  return [space.changeRequests, space.changeRequestsOpen, space.changeRequestsDraft]
}

describe('a change request', () => {
  it('A change request starts as a draft at the main content, with the next number', async () => {
    const spaceId = await aSpace()
    content.people.add({ organization, user: 'user-edit' })
    const main = await revisionOf(spaceId)
    const created = await propose(spaceId, 'Typos')
    expect(created).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'Typos',
      space: spaceId,
      revision: main,
      revisionInitial: main,
      comments: 0,
      outdated: false,
      createdBy: { id: 'user-edit', displayName: 'user-edit' },
      urls: { location: `http://recto.test/v1/spaces/${spaceId}/change-requests/${created.id}` },
    })
    expect(await propose(spaceId)).toMatchObject({ number: 2 })
    expect(await get(created)).toEqual(created)
    expect(await get({ space: spaceId, id: '1' })).toEqual(created)
    expect(await counts(spaceId)).toEqual([2, 0, 2])
  })

  it('A change request needs no body, and no subject', async () => {
    const spaceId = await aSpace()
    expect(await as('edit').createChangeRequest({ params: { spaceId }, body: {} })).toMatchObject({ subject: '' })
    const reply = as('edit').createChangeRequest({ params: { spaceId }, body: { subject: 'x'.repeat(101) } })
    await expect(reply).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.subject' }] })
  })

  it('A change request has a number of its own, however many are created at once', async () => {
    const spaceId = await aSpace()
    const created = await Promise.all(Array.from({ length: 20 }, () => propose(spaceId)))
    expect(created.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
    expect(await counts(spaceId)).toEqual([20, 0, 20])
  })

  it.each([
    ['of another space', (spaceId: string) => ({ space: spaceId, id: '99' })],
    ['with an id that matches nothing', (spaceId: string) => ({ space: spaceId, id: '9'.repeat(40) })],
  ])('A change request %s is not found', async (_name, of) => {
    await expect(get(of(await aSpace()))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A change request is shown without the name of its creator while identity is down', async () => {
    const created = await propose(await aSpace())
    await content.people.stop()
    try {
      expect(await get(created)).toMatchObject({ createdBy: { id: 'user-edit', displayName: 'Unknown user' } })
    } finally {
      await content.people.start()
    }
  })

  it('A change request can be created by users who may edit, and read by users who may read', async () => {
    const spaceId = await aSpace()
    const created = await propose(spaceId)
    const attempts = await Promise.allSettled(
      roles.map(role => as(role).createChangeRequest({ params: { spaceId }, body: {} })),
    )
    const allowed = roles.filter((_role, at) => attempts[at]?.status === 'fulfilled')
    expect(allowed).toEqual(['edit', 'review', 'create', 'admin'])
    for (const role of roles) expect(await get(created, role)).toMatchObject({ id: created.id })
  })
})

describe('an update', () => {
  it('An update submits, archives and reopens a change request, and the space counts it', async () => {
    const spaceId = await aSpace()
    const created = await propose(spaceId)
    expect(await update(created, { status: 'open', subject: 'New' })).toMatchObject({ status: 'open', subject: 'New' })
    expect(await counts(spaceId)).toEqual([1, 1, 0])
    await update(created, { status: 'archived' })
    expect(await counts(spaceId)).toEqual([1, 0, 0])
    await update(created, { status: 'draft' })
    expect(await counts(spaceId)).toEqual([1, 0, 1])
    const changes = await recordedChanges(content, { changeRequest: created.id })
    expect(changes.map(({ type, details }) => [type, details?.['to'] ?? details?.['fields']])).toEqual([
      ['change-request.created', undefined],
      ['change-request.updated', ['subject']],
      ['change-request.status.updated', 'open'],
      ['change-request.status.updated', 'archived'],
      ['change-request.status.updated', 'draft'],
    ])
  })

  it('An update sets and removes the description of a change request', async () => {
    const created = await propose(await aSpace())
    const description = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }
    expect((await update(created, { description })).description).toEqual(description)
    expect((await update(created, { subject: 'Kept' })).description).toEqual(description)
    expect((await update(created, { description: null })).description).toBeUndefined()
  })

  it('An update of a change request refuses a description that would make lists too large', async () => {
    const created = await propose(await aSpace())
    const ofLength = (length: number) => ({
      object: 'document',
      data: { schemaVersion: 8, a: 'a'.repeat(length) },
      nodes: [],
    })
    await expect(update(created, { description: ofLength(50_000) })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.description' }],
    })
    expect((await update(created, { description: ofLength(49_000) })).description).toEqual(ofLength(49_000))
  })

  it('An update of a change request without effect changes nothing', async () => {
    const created = await propose(await aSpace())
    expect(await update(created, { subject: created.subject, status: 'draft' })).toEqual(created)
  })

  it.each([
    [{ status: 'merged' }, 'body.status'],
    [{ subject: 'x'.repeat(101) }, 'body.subject'],
    [{ description: 'text' }, 'body.description'],
    [{ description: { object: 'document', data: { schemaVersion: 8, '\0': 1 }, nodes: [] } }, 'body.description'],
  ])('An update of a change request refuses %j', async (body, path) => {
    const created = await propose(await aSpace())
    await expect(update(created, body)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect(await get(created)).toEqual(created)
  })
})

describe('a list', () => {
  it('A list has the open change requests of a space unless a filter says otherwise, newest first', async () => {
    const spaceId = await aSpace()
    const first = await propose(spaceId)
    const second = await propose(spaceId)
    const third = await propose(spaceId)
    await update(first, { status: 'open' })
    await update(third, { status: 'open' })
    const listNumbers = async (more: object) => {
      const { items, count } = await as('read').listChangeRequestsForSpace({ params: { spaceId }, query: more })
      return [items.map(({ number }) => number), count]
    }
    expect(await listNumbers({})).toEqual([[3, 1], 2])
    expect(await listNumbers({ status: 'draft' })).toEqual([[2], 1])
    expect(await listNumbers({ status: 'draft', creator: 'somebody' })).toEqual([[], 0])
    expect(await listNumbers({ creator: 'user-edit', limit: 1 })).toEqual([[3], 2])
    await edit(second, insert('One'))
    expect(await listNumbers({ status: 'draft', contributor: 'user-edit' })).toEqual([[2], 1])
    expect(await listNumbers({ contributor: 'user-edit' })).toEqual([[], 0])
  })

  it('A list of an organization has the change requests of spaces that the caller can read', async () => {
    const open = await aSpace()
    const closed = await aSpace()
    for (const spaceId of [open, closed]) await update(await propose(spaceId), { status: 'open' })
    await as('admin').updateSpaceById({ params: { spaceId: closed }, body: { defaultLevel: null } })
    const spacesFor = async (role: 'read' | 'admin') => {
      const params = { organizationId: organization }
      const { items, count } = await as(role).listChangeRequestsForOrganization({ params, query: { limit: 1000 } })
      expect(count).toBe(items.length)
      return items.map(({ space }) => space).filter(space => [open, closed].includes(space))
    }
    expect(await spacesFor('read')).toEqual([open])
    expect(await spacesFor('admin')).toEqual([closed, open])
  })
})

describe('the content of a change request', () => {
  it('The content of a change request differs from main content by its changes, which it lists', async () => {
    const { spaceId, a, d } = await aTree()
    const created = await propose(spaceId)
    const { changeRequest, changes } = await edit(
      created,
      insert('New', { into: a }),
      { operation: 'update_page', page: a, document: { markdown: '# A\n\nChanged\n' } },
      { operation: 'delete_page', page: d },
    )
    expect(changeRequest).toMatchObject({ id: created.id, revisionInitial: created.revision, outdated: false })
    expect(changeRequest.revision).not.toBe(created.revision)
    expect(await revisionOf(spaceId)).toBe(created.revision)
    const params = paramsOf(created)
    const { pages } = await as('read').listPagesInChangeRequest({ params, query: {} })
    expect(pages).toMatchObject([{ path: 'a', pages: [{ path: 'a/b' }, { path: 'a/new' }] }])
    const read = as('read').getPageInChangeRequestByPath({ params: { ...params, pagePath: 'a/new' }, query: {} })
    expect(await read).toMatchObject({ id: changes[0]?.page?.id, markdown: '# New\n' })
    const listed = await as('read').getChangeRequestChanges({ params, query: {} })
    expect(listed.changes.map(({ type }) => type)).toEqual(['page_edited', 'page_created', 'page_deleted'])
    expect(await as('read').getChangeRequestChanges({ params, query: { limit: 1 } })).toMatchObject({ more: 2 })
    expect(await as('read').getContributorsByChangeRequestId({ params, query: {} })).toMatchObject({
      items: [{ user: { id: 'user-edit' }, actionType: 'edit', count: 1 }],
    })
  })

  it('The content of a change request is read in the same form as main content', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, {
      pages: { start: '# Start\n' },
      files: { 'dot.png': 'a file' },
      reusable: { notice: 'A notice\n' },
    })
    const params = paramsOf(await propose(spaceId))
    const main = as('read')
    const proposed = as('read')
    const { urls: _main, ...revision } = await main.getCurrentRevision({ params, query: {} })
    const { urls: _proposed, ...same } = await proposed.getRevisionOfChangeRequestById({ params, query: {} })
    const unsigned = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\?[^"]*/g, '')) as unknown
    expect(unsigned(same)).toEqual(unsigned(revision))
    const page = revision.pages[0]
    const file = revision.files[0]
    const reusable = revision.reusableContents[0]
    const pageParams = { ...params, pageId: page?.id ?? '' }
    expect(await proposed.getPageInChangeRequestById({ params: pageParams, query: {} })).toEqual(
      await main.getPageById({ params: pageParams, query: {} }),
    )
    const files = await proposed.listFilesInChangeRequestById({ params, query: {} })
    expect(files).toMatchObject({ items: [{ id: file?.id, name: 'dot.png' }], count: 1 })
    const fileParams = { ...params, fileId: file?.id ?? '' }
    expect(await proposed.getFileInChangeRequestById({ params: fileParams, query: {} })).toEqual(files.items[0])
    const reusableParams = { ...params, reusableContentId: reusable?.id ?? '' }
    expect(await proposed.getReusableContentInChangeRequestById({ params: reusableParams, query: {} })).toEqual(
      reusable,
    )
    const gone = proposed.getPageInChangeRequestById({ params: { ...params, pageId: 'none' }, query: {} })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
  })

  it('The content of a change request can be changed while the space is locked; the reply is the change request alone by default', async () => {
    const spaceId = await aSpace()
    const created = await propose(spaceId)
    await as('create').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    const body = { changes: [insert('Page')] }
    const reply = await as('edit').updateContentInChangeRequest({ params: paramsOf(created), query: {}, body })
    expect(reply).toMatchObject({ object: 'change-request', id: created.id })
    expect(reply).not.toHaveProperty('changes')
  })

  it('The content of a change request cannot be changed while it is archived', async () => {
    const created = await propose(await aSpace())
    await update(created, { status: 'archived' })
    await expect(edit(created, insert('Page'))).rejects.toMatchObject({ code: 'conflict' })
    await update(created, { status: 'draft' })
    expect(await edit(created, insert('Page'))).toMatchObject({ changes: [{ page: { path: 'page' } }] })
  })

  it('A change request is outdated when main content has changed since it started', async () => {
    const spaceId = await aSpace()
    const created = await propose(spaceId)
    await change(spaceId, insert('Main'))
    expect(await get(created)).toMatchObject({ outdated: true, revision: created.revision })
  })
})

describe('the history of main content', () => {
  it('The history of main content lists past revisions of main content, and none of change requests', async () => {
    const spaceId = await aSpace()
    const first = await change(spaceId, insert('One'))
    await edit(await propose(spaceId), insert('Elsewhere'))
    const second = await change(spaceId, insert('Two'))
    const { items, count } = await as('read').listRevisions({ params: { spaceId }, query: {} })
    expect(items.map(({ id, number, type }) => [id, number, type])).toEqual([
      [second.revision, 3, 'edits'],
      [first.revision, 2, 'edits'],
      [expect.any(String), 1, 'edits'],
    ])
    expect(count).toBe(3)
    expect(items[0]).toMatchObject({ parents: [first.revision], createdBy: { id: 'user-edit' } })
    const { next } = await as('read').listRevisions({ params: { spaceId }, query: { limit: 2 } })
    const rest = await as('read').listRevisions({ params: { spaceId }, query: { limit: 2, ...next } })
    expect(rest.items.map(({ number }) => number)).toEqual([1])
  })

  it('A revision of the history of main content can be restored, as a new revision, also while the space is locked', async () => {
    const { spaceId, a } = await aTree()
    const before = await revisionOf(spaceId)
    await change(spaceId, { operation: 'delete_page', page: a })
    await as('create').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    const params = { spaceId, revisionId: before }
    await expect(as('edit').restoreRevision({ params })).rejects.toMatchObject({ code: 'forbidden' })
    const restored = await as('review').restoreRevision({ params })
    expect(restored).toMatchObject({ type: 'rollback', number: 4, createdBy: { id: 'user-review' } })
    const pages = async (revisionId: string) =>
      as('read').listPagesInRevisionById({ params: { spaceId, revisionId }, query: {} })
    expect(await pages(restored.id)).toEqual(await pages(before))
    expect(await revisionOf(spaceId)).toBe(restored.id)
    expect(await as('review').restoreRevision({ params })).toEqual(restored)
  })

  it('The history of main content does not have revisions of other spaces', async () => {
    const spaceId = await aSpace()
    const other = await aSpace()
    const params = { spaceId, revisionId: await revisionOf(other) }
    await expect(as('admin').restoreRevision({ params })).rejects.toMatchObject({ code: 'not_found' })
  })
})
