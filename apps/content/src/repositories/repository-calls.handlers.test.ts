import { createHash } from 'node:crypto'
import { unpackBundle } from '@recto/blobs'
import { type gitContentCalls, RevisionSnapshot } from '@recto/contracts-git-worker-bus'
import { createId, type Input } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aManifest, applyImport, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const main = async (spaceId: string) => (await content.as('read').getSpaceById({ params: { spaceId } })).revision
const edit = (spaceId: string) => {
  const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'text' } }] as never[]
  return content.as('edit').updateContent({ params: { spaceId }, body: { changes } })
}
const attemptOf = (spaceId: string, lease = 1) => ({ operationId: createId(), lease, spaceId, holdSeconds: 60 })
type Applied = Input<typeof gitContentCalls.applyGitOperation>['body']
const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }

/** The request to apply an import whose branch has a page. */
async function anImport(spaceId: string, more: Partial<Applied> = {}): Promise<Applied> {
  const manifest = await aManifest(content.blobs, { pages: { a: '# A\n' } })
  const { hash } = await content.blobs.put(Buffer.from(JSON.stringify(manifest)))
  return {
    ...attemptOf(spaceId),
    manifest: hash,
    discarded: [],
    createdBy: 'user-create',
    work: { kind: 'import', isStandalone: false },
    commit: { oid: 'c1', message: 'A commit', ref: 'refs/heads/main', createdByService: false },
    repository: { url: 'https://git.example/docs.git', updatedAt: new Date().toISOString() },
    ...more,
  }
}

/** The request to record an export of a revision. */
async function anExport(
  spaceId: string,
  revision: string,
  more: { isPartial?: boolean; isStandalone?: boolean } = {},
): Promise<Applied> {
  const { state } = await snapshotOf(spaceId, revision)
  const records = state.pages.map(({ id, path = '' }) => ({ id, path, oid: 'b10b' }))
  const { hash } = await content.blobs.put(Buffer.from(JSON.stringify({ version: 1, configuration, records })))
  return {
    ...(await anImport(spaceId)),
    manifest: hash,
    work: { kind: 'export', revision, isPartial: false, isStandalone: false, warnings: [], ...more },
    commit: { oid: 'c0ffee', message: 'Export', ref: 'refs/heads/main', createdByService: true },
  }
}

async function snapshotOf(spaceId: string, revision?: string) {
  const body = { ...attemptOf(spaceId), ...(revision !== undefined && { revision }) }
  const { blob } = await content.calls.snapshotRevision({ body })
  return RevisionSnapshot.parse(JSON.parse((await content.blobs.bytes(blob)).toString()))
}

describe('an operation of git', () => {
  it('A git operation is applied once, however often it is requested, and its outcome is told at the next start', async () => {
    const spaceId = await aSpace(content)
    const body = await anImport(spaceId)
    const replies = await Promise.all([1, 2, 3].map(() => content.calls.applyGitOperation({ body })))
    await edit(spaceId)
    replies.push(await content.calls.applyGitOperation({ body: { ...body, lease: 2 } }))
    const [{ outcome } = { outcome: undefined }] = replies
    expect(replies.map(reply => reply.outcome)).toEqual(Array(4).fill(outcome))
    expect(outcome).toMatchObject({ state: 'success', commit: 'c1', main: outcome?.revision })
    // The empty space, the import and the edit.
    expect((await content.as('read').listRevisions({ params: { spaceId } })).count).toBe(3)
    const { operationId } = body
    const again = { operationId, lease: 3, spaceId, holdSeconds: 60 }
    expect(await content.calls.listKnownGitBlobs({ body: again })).toMatchObject({ known: [], applied: outcome })
    expect(await content.calls.snapshotRevision({ body: again })).toMatchObject({ applied: outcome })
  })

  it('A git operation is refused for an attempt before the last one', async () => {
    const spaceId = await aSpace(content)
    const body = await anImport(spaceId)
    await content.calls.listKnownGitBlobs({ body: { ...attemptOf(spaceId, 2), operationId: body.operationId } })
    await expect(content.calls.applyGitOperation({ body })).rejects.toMatchObject({ code: 'conflict' })
    await expect(
      content.calls.snapshotRevision({ body: { ...attemptOf(spaceId), operationId: body.operationId } }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect((await content.as('read').listRevisions({ params: { spaceId } })).count).toBe(1)
  })

  it('An import that needs another main content is skipped', async () => {
    const spaceId = await aSpace(content)
    const onlyFrom = await main(spaceId)
    await edit(spaceId)
    const before = await main(spaceId)
    const body = await anImport(spaceId, { work: { kind: 'import', isStandalone: false, onlyFrom } })
    const { outcome } = await content.calls.applyGitOperation({ body })
    expect([outcome, await main(spaceId)]).toEqual([
      { state: 'skipped', revision: before, isPartial: false, warnings: [] },
      before,
    ])
  })

  it('A standalone import writes a revision and does not move main content', async () => {
    const spaceId = await aSpace(content)
    const before = await importInto(content, spaceId, { pages: { a: 'x' } })
    const { revision, main: moved } = await applyImport(content, spaceId, { pages: { b: 'y' } }, { standalone: true })
    expect([await main(spaceId), moved, revision === before]).toEqual([before, undefined, false])
  })

  it('An import of the same content and commit writes no revision', async () => {
    const spaceId = await aSpace(content)
    const same = { pages: { a: 'x' }, files: { 'a.txt': 'ay' } }
    const first = await importInto(content, spaceId, same)
    expect(await importInto(content, spaceId, same)).toBe(first)
    const { known } = await content.calls.listKnownGitBlobs({ body: attemptOf(spaceId) })
    expect(known).toMatchObject([{ isDocument: true }, { size: 2, isDocument: false }])
  })

  it('An export moves main content to the revision with the commit, unless it has moved on', async () => {
    const spaceId = await aSpace(content)
    await edit(spaceId)
    const exported = await main(spaceId)
    const first = await content.calls.applyGitOperation({ body: await anExport(spaceId, exported) })
    expect(first.outcome).toMatchObject({ state: 'success', commit: 'c0ffee', main: await main(spaceId) })
    expect(await snapshotOf(spaceId)).toMatchObject({
      commit: 'c0ffee',
      state: { wasInRepository: true, pages: [{ path: 'new.md', oid: 'b10b' }] },
      synchronised: [{ commit: 'c0ffee', root: '', isPartial: false }],
    })
    await edit(spaceId)
    const moved = await main(spaceId)
    await edit(spaceId)
    const latest = await main(spaceId)
    const { outcome } = await content.calls.applyGitOperation({ body: await anExport(spaceId, moved) })
    expect([await main(spaceId), outcome.main]).toEqual([latest, moved])
  })

  it('A standalone export leaves the space as it is, without a repository and a commit', async () => {
    const spaceId = await aSpace(content)
    await edit(spaceId)
    const revision = await main(spaceId)
    const body = await anExport(spaceId, revision, { isStandalone: true })
    const { outcome } = await content.calls.applyGitOperation({ body })
    expect(outcome).toEqual({ state: 'success', revision, commit: 'c0ffee', isPartial: false, warnings: [] })
    expect(await main(spaceId)).toBe(revision)
    expect(await snapshotOf(spaceId)).toMatchObject({ state: { wasInRepository: false }, synchronised: [] })
    expect(await content.as('read').getSpaceById({ params: { spaceId } })).not.toHaveProperty('gitSync')
  })

  it.each([
    [false, 'is that of the export'],
    [true, 'is read, since the branch had more'],
  ])('When an exported commit is imported back (partial: %j), the revision %s', async (isPartial, _title) => {
    const spaceId = await aSpace(content)
    await edit(spaceId)
    const { outcome } = await content.calls.applyGitOperation({
      body: await anExport(spaceId, await main(spaceId), { isPartial }),
    })
    const imported = await importInto(content, spaceId, { pages: { new: 'text', other: 'text' } })
    expect(imported === outcome.revision).toBe(!isPartial)
  })

  it('A setting that an import kept stays after a partial export, which leaves its file alone, and a snapshot tells it', async () => {
    const spaceId = await aSpace(content)
    const same = { pages: { a: '# A\n' }, settingsFile: 'absent' as const }
    await importInto(content, spaceId, same)
    const pageOf = async () => (await snapshotOf(spaceId)).state.pages[0]
    const { id: page = '', oid } = (await pageOf()) ?? {}
    const changes = [{ operation: 'update_page' as const, page, hidden: true }]
    await content.as('edit').updateContent({ params: { spaceId }, body: { changes } })
    await importInto(content, spaceId, same)
    expect(await pageOf()).toMatchObject({ path: 'a.md', committedOid: oid })
    const body = await anExport(spaceId, await main(spaceId), { isPartial: true })
    await content.calls.applyGitOperation({ body })
    expect(await pageOf()).toMatchObject({ oid: 'b10b', committedOid: oid })
    await importInto(content, spaceId, { ...same, pages: { a: '# A, again\n' } }, { oid: 'decade' })
    const imported = await content.as('read').getPageById({ params: { spaceId, pageId: page } })
    expect(imported).toMatchObject({ hidden: true })
  })
})

describe('a snapshot', () => {
  it('A snapshot has the requested documents as a bundle', async () => {
    const spaceId = await aSpace(content)
    await edit(spaceId)
    const documents = [createHash('sha256').update('text').digest('hex')]
    const { blob, count } = await content.calls.snapshotRevision({ body: { ...attemptOf(spaceId), documents } })
    expect([count, unpackBundle(await content.blobs.bytes(blob)).map(String)]).toEqual([1, ['text']])
  })

  it('A snapshot is of a revision of the space only', async () => {
    const spaceId = await aSpace(content)
    const other = await aSpace(content)
    const refused = content.calls.snapshotRevision({ body: { ...attemptOf(spaceId), revision: await main(other) } })
    await expect(refused).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the space of git', () => {
  it.each([
    ['read', 'read', undefined],
    ['read', 'manage', 'forbidden'],
    ['edit', 'change', 'forbidden'],
    ['create', 'manage', undefined],
    ['create', 'change', undefined],
    [undefined, 'read', 'not_found'],
  ] as const)('The space of a git operation for %s who wants to %s it: %s', async (role, use, code) => {
    const spaceId = await aSpace(content)
    const reply = content.calls.findGitSpace({ body: { spaceId, actor: content.actorOf(role), use } })
    if (code) await expect(reply).rejects.toMatchObject({ code })
    else expect(await reply).toMatchObject({ revision: await main(spaceId), isDeleted: false })
  })
})
