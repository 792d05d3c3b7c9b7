import { createHash } from 'node:crypto'
import { unpackBundle } from '@recto/blobs'
import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anExporter, exportedRepository, type Exporter } from '../test/an-exporter.ts'
import { aContent, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
let exporter: Exporter
beforeAll(async () => {
  content = await aContent()
  exporter = anExporter(content)
})
afterAll(() => content.stop())

const aSpace = async () =>
  (await content.as('create').createSpace({ params: { organizationId: organization }, body: {} })).id
const { repository, configuration } = exportedRepository
const ask = (...of: Parameters<Exporter['ask']>) => exporter.ask(...of)
const start = (...of: Parameters<Exporter['start']>) => exporter.start(...of)
const finish = (...of: Parameters<Exporter['finish']>) => exporter.finish(...of)

const edit = (spaceId: string, changes: never[]) =>
  content.as('edit').updateContent({ params: { spaceId }, body: { changes } })
const inserted = [{ operation: 'insert_page', title: 'New', document: { markdown: 'text' } }] as never[]
const main = async (spaceId: string) => (await content.as('read').getSpaceById({ params: { spaceId } })).revision

describe('an export', () => {
  it.each(roles)('requested by %s', async role => {
    const params = { spaceId: await aSpace() }
    const asked = content.as(role).exportToGitRepository({ params, body: { ...repository, commitMessage: 'x' } })
    if (role === 'create' || role === 'admin') expect(await asked).toBeUndefined()
    else await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ url: 'ssh://git.example/x' }, 'body.url'],
    [{ ref: 'main' }, 'body.ref'],
    [{ commitMessage: '' }, 'body.commitMessage'],
    [{ commitMessage: undefined }, 'body.commitMessage'],
    [{ timestamp: 'yesterday' }, 'body.timestamp'],
    [{ gitInfo: { provider: 'github', url: 'nonsense' } }, 'body.gitInfo.url'],
  ])('is refused with %j', async (body, path) => {
    const spaceId = await aSpace()
    await expect(ask(spaceId, body)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect((await content.as('read').listGitOperations({ params: { spaceId } })).count).toBe(0)
  })

  it('of new content hands over all of it, with the caller as the author', async () => {
    content.people.add({ organization, user: 'user-create', role: 'create' })
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId)
    const { work, export: wanted, given } = await start(operationId)
    expect(work).toMatchObject({ direction: 'export', attempt: 1, url: repository.url, force: false })
    expect(wanted).toMatchObject({
      revision: await main(spaceId),
      message: 'Export',
      author: { name: 'user-create', email: 'user-create@users.recto.test' },
      committer: { name: 'Recto', email: 'recto@recto.test' },
    })
    const hash = createHash('sha256').update('text').digest('hex')
    expect(given).toMatchObject({
      now: { wasInRepository: false, pages: [{ title: 'New', path: 'new.md', hash }], files: [], variables: {} },
      isSameBranch: false,
    })
    const { bundle, count } = await content.calls.bundleGitDocuments({
      body: { operationId, attempt: 1, documents: [hash] },
    })
    expect([count, unpackBundle(await content.blobs.bytes(bundle)).map(String)]).toEqual([1, ['text']])
    await expect(
      content.calls.bundleGitDocuments({ body: { operationId, attempt: 2, documents: [hash] } }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  it('that ends moves main content to the revision that knows the commit, and shows the repository', async () => {
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId, { repoCommitURL: 'https://git.example/docs/commit' })
    const { export: wanted, given } = await start(operationId)
    const records = [{ id: given.now.pages[0]?.id ?? '', path: 'new.md', oid: 'b10b' }]
    const { revision } = await finish(operationId, { revision: wanted.revision, records })
    expect(await finish(operationId, { revision: wanted.revision, records })).toEqual({ revision })
    expect(await content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({
      revision,
      gitSync: { repoName: 'docs', url: repository.url },
    })
    expect(await content.as('read').getRevisionById({ params: { spaceId, revisionId: revision } })).toMatchObject({
      parents: [wanted.revision],
      git: { oid: 'c0ffee', createdByService: true, url: 'https://git.example/docs/commit/c0ffee' },
      pages: [{ git: { path: 'new.md', oid: 'b10b' } }],
    })
    const again = await start(await ask(spaceId))
    expect(again.given).toMatchObject({
      isSameBranch: true,
      now: { wasInRepository: true, pages: [{ path: 'new.md', oid: 'b10b' }] },
      base: { commit: 'c0ffee', pages: [{ path: 'new.md', oid: 'b10b' }] },
    })
  })

  it.each([
    [false, 'is that of the export'],
    [true, 'is read, since the branch had more'],
  ])('whose commit is imported back (partial: %j): the revision %s', async (isPartial, _title) => {
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId)
    const { export: wanted, given } = await start(operationId)
    const records = [{ id: given.now.pages[0]?.id ?? '', path: 'new.md', oid: 'b10b' }]
    const { revision } = await finish(operationId, { revision: wanted.revision, records, isPartial })
    const imported = await importInto(content, spaceId, { pages: { new: 'text', other: 'text' } })
    expect(imported === revision).toBe(!isPartial)
  })

  it('that follows one which met changes of the branch has them too: its commit is read', async () => {
    const spaceId = await aSpace()
    for (const isPartial of [true, false]) {
      await edit(spaceId, inserted)
      const operationId = await ask(spaceId)
      const { export: wanted, given } = await start(operationId)
      const records = [{ id: given.now.pages[0]?.id ?? '', path: 'new.md', oid: 'b10b' }]
      const commit = { oid: isPartial ? 'facade' : 'c0ffee', message: 'Export', createdByService: !isPartial }
      await finish(operationId, { revision: wanted.revision, records, isPartial, commit })
    }
    const before = await main(spaceId)
    expect(await importInto(content, spaceId, { pages: { new: 'text', other: 'text' } })).not.toBe(before)
  })

  it('during which main content moves on leaves it where it is', async () => {
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId)
    const { export: wanted, given } = await start(operationId)
    await edit(spaceId, inserted)
    const moved = await main(spaceId)
    const records = [{ id: given.now.pages[0]?.id ?? '', path: 'new.md', oid: 'b10b' }]
    const { revision } = await finish(operationId, { revision: wanted.revision, records })
    expect(revision).not.toBe(wanted.revision)
    expect(await main(spaceId)).toBe(moved)
    expect((await content.as('read').getSpaceGitInfo({ params: { spaceId } })).repoName).toBe('docs')
  })

  it('whose worker ended writes the same revision again, and a retry what main content is by then', async () => {
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId)
    const first = await start(operationId)
    await edit(spaceId, inserted)
    await content.service.db.query(
      `update git_operations set heartbeat_at = now() - interval '1 minute' where id = $1`,
      [operationId],
    )
    const second = await start(operationId)
    expect([second.work, second.export.revision]).toMatchObject([{ attempt: 2 }, first.export.revision])
    expect(second.given).toEqual(first.given)
    const error = { code: 'unreachable' as const, message: 'x' }
    await content.calls.failGitOperation({ body: { operationId, attempt: 2, error, retry: false, warnings: [] } })
    await content.as('create').retryGitOperation({ params: { spaceId, operationId } })
    expect((await start(operationId)).export.revision).toBe(await main(spaceId))
  })

  it('whose push has no known outcome hands over what it pushed, until the branch is synchronised', async () => {
    const spaceId = await aSpace()
    await edit(spaceId, inserted)
    const operationId = await ask(spaceId)
    const { export: wanted, given } = await start(operationId)
    const page = given.now.pages[0]?.id ?? ''
    const records = [{ id: page, path: 'new-2.md', oid: 'b10b' }]
    const { hash: manifest } = await content.blobs.put(
      Buffer.from(JSON.stringify({ version: 1, configuration, records })),
    )
    const pushing = { commit: 'c0ffee', revision: wanted.revision, isPartial: false, manifest }
    const report = { operationId, attempt: 1, stage: 'finalize' as const, progress: { done: 0, total: 1 }, pushing }
    expect(await content.calls.reportGitOperation({ body: { ...report, attempt: 2 } })).toEqual({ continue: false })
    expect(await content.calls.reportGitOperation({ body: report })).toEqual({ continue: true })
    const fail = (id: string) =>
      content.calls.failGitOperation({
        body: { operationId: id, attempt: 1, error: { code: 'unreachable', message: 'x' }, retry: false, warnings: [] },
      })
    await fail(operationId)
    await edit(spaceId, [{ operation: 'delete_page', page }] as never[])
    await content.as('create').retryGitOperation({ params: { spaceId, operationId } })
    const again = await start(operationId)
    const pushed = { pushed: 'c0ffee', commit: 'c0ffee', pages: [{ id: page, path: 'new-2.md', oid: 'b10b' }] }
    expect(again.given).toMatchObject({ now: { pages: [] }, pushed: [pushed] })
    await fail(operationId)
    const pushedOf = async (body: object) => {
      const id = await ask(spaceId, body)
      const { pushed: found } = (await start(id)).given
      await fail(id)
      return found
    }
    expect(await pushedOf({})).toMatchObject([pushed])
    expect(await pushedOf({ ref: 'refs/heads/other' })).toBeUndefined()
    expect(await pushedOf({ repoProjectDirectory: 'docs' })).toBeUndefined()
    await importInto(content, spaceId, { pages: { a: 'x' } })
    expect(await pushedOf({})).toBeUndefined()
  })

  it('without a commit of its own writes no revision', async () => {
    const spaceId = await aSpace()
    const revision = await importInto(content, spaceId, { pages: { a: 'x' } })
    const operationId = await ask(spaceId)
    const { given } = await start(operationId)
    const [page] = given.now.pages
    const records = [{ id: page?.id ?? '', path: page?.path ?? '', oid: page?.oid ?? '' }]
    const commit = { oid: 'c0ffee', message: 'm', createdByService: false }
    expect(await finish(operationId, { revision, records, commit })).toEqual({ revision })
    expect(await main(spaceId)).toBe(revision)
  })

  it('is in the order of timestamps with imports', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { a: 'x' } }, { timestamp: '2026-02-01T00:00:00Z' })
    const old = await ask(spaceId, { timestamp: '2026-01-01T00:00:00Z' })
    const see = (operationId: string) => content.as('read').getGitOperation({ params: { spaceId, operationId } })
    expect(await see(old)).toMatchObject({ direction: 'export', state: 'skipped' })
    const equal = await ask(spaceId, { timestamp: '2026-02-01T00:00:00Z' })
    expect(await see(equal)).toMatchObject({ state: 'queued' })
  })

  it('knows the last synchronisation with the same folder of the repository only', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { a: 'x' } })
    const cases = [
      [{ url: 'https://git.example/docs' }, [true, true]],
      [{ ref: 'refs/heads/other' }, [true, false]],
      [{ repoProjectDirectory: 'docs' }, [false, false]],
      [{ url: 'https://git.example/other.git' }, [false, false]],
    ] as const
    for (const [body, expected] of cases) {
      const operationId = await ask(spaceId, body)
      const { given } = await start(operationId)
      expect([body, [given.base !== undefined, given.isSameBranch]]).toEqual([body, expected])
      const error = { code: 'internal' as const, message: 'x' }
      await content.calls.failGitOperation({ body: { operationId, attempt: 1, error, retry: false, warnings: [] } })
    }
  })

  it('names the change request whose merge it exports in its message', async () => {
    const spaceId = await aSpace()
    const { id, number } = await content
      .as('edit')
      .createChangeRequest({ params: { spaceId }, body: { subject: 'Say more' } })
    const params = { spaceId, changeRequestId: id }
    await content.as('edit').updateContentInChangeRequest({ params, body: { changes: inserted } })
    await content.as('review').mergeChangeRequest({ params })
    const commitMessage = 'GITBOOK-{change_request_number}: {change_request_subject}'
    const { export: wanted } = await start(await ask(spaceId, { commitMessage }))
    expect(wanted.message).toBe(`GITBOOK-${number}: Say more`)
  })
})

describe('the legacy installation of a space', () => {
  it.each(roles)('is deleted by %s, though there is none', async role => {
    const params = { spaceId: await aSpace() }
    const deleted = content.as(role).deleteLegacyGitInstallation({ params })
    if (role === 'create' || role === 'admin') expect(await deleted).toBeUndefined()
    else await expect(deleted).rejects.toMatchObject({ code: 'forbidden' })
  })
})
