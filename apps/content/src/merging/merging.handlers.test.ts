import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { roles } from '@recto/actor'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, conditional, type ContentSetup } from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, aTree, change, propose, edit, get, pathsOf, page, revisionOf } = aProposer(() => content)
type Proposed = Awaited<ReturnType<typeof propose>>

const paramsOf = ({ space, id }: Pick<Proposed, 'space' | 'id'>) => ({ spaceId: space, changeRequestId: id })
const merge = (proposed: Proposed) => as('review').mergeChangeRequest({ params: paramsOf(proposed) })
const update = (proposed: Proposed) => as('edit').updateChangeRequest({ params: paramsOf(proposed) })
const conflictsOf = async (proposed: Proposed) =>
  (await as('read').listChangeRequestConflicts({ params: paramsOf(proposed), query: {} })).items
const resolve = (proposed: Proposed, ...resolutions: object[]) =>
  as('edit').resolveChangeRequestConflicts({ params: paramsOf(proposed), body: { resolutions } })
const write = (id: string, markdown: string) => ({
  operation: 'update_page' as const,
  page: id,
  document: { markdown },
})
const lines = (...changed: string[]) => ['# A', 'one', 'two', 'three', 'four', ...changed].join('\n\n')

/** A change request that changed a text which main content has changed since. */
async function aConflict() {
  const { spaceId, a } = await aTree()
  const changeRequest = await propose(spaceId)
  await edit(changeRequest, write(a, '# A\n\nof the change request\n'))
  await change(spaceId, write(a, '# A\n\nof main\n'))
  return { spaceId, a, proposed: changeRequest }
}

describe('a merge', () => {
  it('A merge makes main content the merged content, with what main content changed meanwhile', async () => {
    const { spaceId, a, d } = await aTree()
    const changeRequest = await propose(spaceId, 'New pages')
    await edit(changeRequest, insert('New', { into: a }), { operation: 'delete_page', page: d })
    await change(spaceId, insert('Main'), write(a, '# A\n\nMore.\n'))
    const main = await revisionOf(spaceId)
    const { revision: proposedRevision } = await get(changeRequest)
    const { revision, result } = await merge(changeRequest)
    expect(result).toBe('merge')
    expect(await revisionOf(spaceId)).toBe(revision)
    expect(await pathsOf(spaceId)).toEqual(['a', 'a/b', 'a/b/c', 'a/new', 'main'])
    expect(await page(spaceId, 'a')).toMatchObject({ markdown: '# A\n\nMore.\n' })
    const merged = await get(changeRequest)
    expect(merged).toMatchObject({ status: 'merged', revisionMerged: revision, outdated: false })
    const mergeRevision = await as('read').getRevisionById({ params: { spaceId, revisionId: revision } })
    expect(mergeRevision).toMatchObject({
      type: 'merge',
      parents: [main, proposedRevision],
      mergedFrom: { id: changeRequest.id },
    })
    const { items } = await as('read').listRevisions({ params: { spaceId }, query: { limit: 1 } })
    expect(items).toMatchObject([{ id: revision, type: 'merge', mergedFrom: { number: 1, subject: 'New pages' } }])
    const { mergedFrom } = await as('read').getRevisionSemanticChanges({ params: { spaceId, revisionId: revision } })
    expect(mergedFrom).toEqual(merged)
    const space = await as('read').getSpaceById({ params: { spaceId } })
    expect(space).toMatchObject({ changeRequests: 1, changeRequestsDraft: 0, changeRequestsOpen: 0 })
    const changes = (await recordedChanges(content, { space: spaceId })).slice(-2)
    expect(changes.map(({ type, revision }) => [type, revision])).toEqual([
      ['space.content.updated', { before: main, after: revision }],
      ['change-request.merged', { before: main, after: revision }],
    ])
  })

  it('A merge of texts is by line', async () => {
    const { spaceId, a } = await aTree()
    await change(spaceId, write(a, lines()))
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, write(a, lines().replace('one', 'ONE')))
    await change(spaceId, write(a, lines('five')))
    await merge(changeRequest)
    expect(await page(spaceId, 'a')).toMatchObject({ markdown: lines('five').replace('one', 'ONE') })
  })

  it('A merge with an idempotency key can be repeated, and replies the same', async () => {
    const changeRequest = await propose(await aSpace())
    await edit(changeRequest, insert('Page'))
    const request = { params: paramsOf(changeRequest), conditions: { idempotencyKey: 'k' }, role: 'review' as const }
    const replies = [
      await conditional(content, 'mergeChangeRequest', request),
      await conditional(content, 'mergeChangeRequest', request),
    ].map(({ status, body }) => [status, Buffer.from(body as Uint8Array).toString()])
    expect(replies[0]?.[0]).toBe(200)
    expect(replies[1]).toEqual(replies[0])
  })

  it('A merge that changes nothing leaves main content as it is', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    const before = await revisionOf(spaceId)
    expect(await merge(changeRequest)).toEqual({ revision: before, result: 'merge' })
    expect(await revisionOf(spaceId)).toBe(before)
  })

  it('A merge works while the space is locked', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, insert('Page'))
    await as('create').updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })

  it('A merge needs the role review', async () => {
    const spaceId = await aSpace()
    const allowed = []
    for (const role of roles) {
      const changeRequest = await propose(spaceId)
      const merged = await as(role)
        .mergeChangeRequest({ params: paramsOf(changeRequest) })
        .catch((error: { code: string }) => error.code)
      if (merged !== 'forbidden') allowed.push(role)
    }
    expect(allowed).toEqual(['review', 'create', 'admin'])
  })

  it('A merge of a change request that is merged or archived is a conflict and changes nothing', async () => {
    const spaceId = await aSpace()
    const merged = await propose(spaceId)
    const archived = await propose(spaceId)
    await merge(merged)
    await as('edit').updateChangeRequestById({ params: paramsOf(archived), body: { status: 'archived' } })
    for (const proposed of [merged, archived]) {
      await expect(merge(proposed)).rejects.toMatchObject({ code: 'conflict' })
      await expect(update(proposed)).rejects.toMatchObject({ code: 'conflict' })
      await expect(edit(proposed, insert('Late'))).rejects.toMatchObject({ code: 'conflict' })
    }
    const reopen = as('edit').updateChangeRequestById({ params: paramsOf(merged), body: { status: 'open' } })
    await expect(reopen).rejects.toMatchObject({ code: 'conflict' })
    expect(await conflictsOf(merged)).toEqual([])
  })
})

describe('conflicts', () => {
  it('Conflicts change nothing, and are listed with all sides', async () => {
    const { spaceId, a, proposed } = await aConflict()
    const main = await revisionOf(spaceId)
    const { revision } = await get(proposed)
    expect(await merge(proposed)).toEqual({ revision: main, result: 'conflicts' })
    expect(await update(proposed)).toEqual({ revision, result: 'conflicts' })
    expect(await get(proposed)).toMatchObject({ status: 'draft', revision, outdated: true })
    expect(await conflictsOf(proposed)).toMatchObject([
      {
        kind: 'text',
        page: a,
        base: '# A\n',
        main: '# A\n\nof main\n',
        changeRequest: '# A\n\nof the change request\n',
        merged: expect.stringContaining('<<<<<<<'),
      },
    ])
  })

  it.each([
    ['main content', { take: 'main' }, '# A\n\nof main\n'],
    ['the change request', { take: 'change-request' }, '# A\n\nof the change request\n'],
    ['another text', { markdown: '# A\n\nof both\n' }, '# A\n\nof both\n'],
  ])('Conflicts are settled by %s, and the change request can be merged then', async (_name, resolution, text) => {
    const { spaceId, a, proposed } = await aConflict()
    const main = await revisionOf(spaceId)
    const { revision, result } = await resolve(proposed, { page: a, ...resolution })
    expect(result).toBe('update')
    expect(await get(proposed)).toMatchObject({ revision, revisionMergedAncestor: main, outdated: false })
    const params = { ...paramsOf(proposed), pageId: a }
    expect(await as('read').getPageInChangeRequestById({ params, query: {} })).toMatchObject({ markdown: text })
    expect(await conflictsOf(proposed)).toEqual([])
    expect(await merge(proposed)).toMatchObject({ result: 'merge' })
    expect(await page(spaceId, 'a')).toMatchObject({ markdown: text })
  })

  it('Conflicts are settled at once by the side that is taken in all others', async () => {
    const { spaceId, a, d } = await aTree()
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, write(a, '# 1\n'), write(d, '# 1\n'))
    await change(spaceId, write(a, '# 2\n'), { operation: 'delete_page', page: d })
    const params = paramsOf(changeRequest)
    const settle = (body: object) => as('edit').resolveChangeRequestConflicts({ params, body: body as never })
    await expect(settle({})).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.resolutions', message: expect.stringMatching(/unless others/) }],
    })
    await settle({ resolutions: [{ page: a, take: 'main' }], others: 'change-request' })
    await merge(changeRequest)
    expect(await page(spaceId, 'a')).toMatchObject({ markdown: '# 2\n' })
    expect(await page(spaceId, 'd')).toMatchObject({ markdown: '# 1\n' })
  })

  it('Resolutions must settle all conflicts, and nothing else', async () => {
    const { spaceId, a, d } = await aTree()
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, write(a, '# 1\n'), write(d, '# 1\n'))
    await change(spaceId, write(a, '# 2\n'), { operation: 'delete_page', page: d })
    const before = await get(changeRequest)
    await expect(resolve(changeRequest, { page: a, take: 'main' })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.resolutions', message: `leave the conflict deleted of the page ${d} unsettled` }],
    })
    const all = [a, d, 'other'].map(id => ({ page: id, take: 'main' }))
    await expect(resolve(changeRequest, ...all)).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.resolutions.2', message: 'settles no conflict' }],
    })
    expect(await get(changeRequest)).toEqual(before)
    expect(await conflictsOf(changeRequest)).toMatchObject([
      { kind: 'text', page: a },
      { kind: 'deleted', page: d, base: { id: d, title: 'D' }, changeRequest: { id: d } },
    ])
    await resolve(changeRequest, { page: a, take: 'main' }, { page: d, take: 'change-request' })
    await merge(changeRequest)
    expect(await pathsOf(spaceId)).toEqual(['a', 'a/b', 'a/b/c', 'd'])
  })

  it.each([
    [{ take: 'main' }, 'body.resolutions.0'],
    [{ page: 'a', file: 'b', take: 'main' }, 'body.resolutions.0'],
    [{ page: 'a' }, 'body.resolutions.0'],
    [{ page: 'a', take: 'ours' }, 'body.resolutions.0.take'],
  ])('Conflicts are not settled by %j', async (resolution, path) => {
    const { proposed } = await aConflict()
    const refused = { code: 'invalid_request', details: [{ path }] }
    await expect(resolve(proposed, resolution)).rejects.toMatchObject(refused)
  })
})

describe('an update', () => {
  it('An update brings main content into the change request, and merging gives the same content', async () => {
    const { spaceId, a } = await aTree()
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, insert('New', { into: a }))
    const { revision: main } = await change(spaceId, insert('Main'))
    const { revision: before } = await get(changeRequest)
    const { revision, result } = await update(changeRequest)
    expect(result).toBe('update')
    expect(await get(changeRequest)).toMatchObject({ revision, revisionMergedAncestor: main, outdated: false })
    const updateRevision = await as('read').getRevisionById({ params: { spaceId, revisionId: revision } })
    expect(updateRevision).toMatchObject({ type: 'update', parents: [before, main] })
    const params = paramsOf(changeRequest)
    const { pages } = await as('read').listPagesInChangeRequest({ params, query: {} })
    expect((await as('read').getChangeRequestChanges({ params, query: {} })).changes).toMatchObject([
      { type: 'page_created', page: { path: 'a/new' } },
    ])
    await merge(changeRequest)
    expect((await as('read').listPages({ params: { spaceId }, query: {} })).pages).toEqual(pages)
  })

  it('An update without anything new changes nothing', async () => {
    const changeRequest = await propose(await aSpace())
    await edit(changeRequest, insert('New'))
    const before = await get(changeRequest)
    expect(await update(changeRequest)).toEqual({ revision: before.revision, result: 'update' })
    expect(await get(changeRequest)).toEqual(before)
  })
})

describe('at the same time', () => {
  it('Fifty concurrent merges into one space all end merged or in conflict, with a linear history', async () => {
    const { spaceId, a } = await aTree()
    const proposed: Proposed[] = []
    for (let at = 0; at < 50; at += 1) {
      const one = await propose(spaceId)
      await edit(one, at % 5 === 0 ? write(a, `# ${at}\n`) : insert(`Page ${at}`))
      proposed.push(one)
    }
    // All at once wait longer than a request may on a busy machine.
    const results = await pMap(proposed, merge, { concurrency: 25 })
    const merged = results.filter(({ result }) => result === 'merge')
    expect(merged).toHaveLength(41)
    const paths = new Set(await pathsOf(spaceId))
    for (let at = 0; at < 50; at += 1) expect(paths.has(`page-${at}`)).toBe(at % 5 !== 0)
    const { items } = await as('read').listRevisions({ params: { spaceId }, query: { limit: 1000 } })
    expect(items.map(({ number }) => number)).toEqual(items.map((_item, at) => items.length - at))
    expect(
      items
        .slice(0, 41)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(merged.map(({ revision }) => revision).sort())
    for (const [at, item] of items.slice(0, -1).entries()) expect(item.parents[0]).toBe(items[at + 1]?.id)
  })

  it('Twenty concurrent merges of one change request merge it once', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    await edit(changeRequest, insert('Page'))
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => merge(changeRequest)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const reasons = results.flatMap(result => (result.status === 'rejected' ? [result.reason as { code: string }] : []))
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['conflict']))
    expect(await pathsOf(spaceId)).toEqual(['page'])
  })
})
