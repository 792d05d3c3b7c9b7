import { unpackBundle } from '@recto/blobs'
import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aWorker, repository } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const worker = aWorker(() => setup)
const aSpace = () => setup.content.aSpace()
const main = (spaceId: string) => setup.content.space(spaceId).revision
const edit = (spaceId: string, page = 'b') => setup.content.edit(spaceId, page)

/** A space of which an export is asked for, which has a page. */
async function anExport(body = {}) {
  const spaceId = await aSpace()
  await edit(spaceId)
  const operationId = await worker.requestExport(spaceId, body)
  return { spaceId, operationId, work: await worker.work(operationId) }
}

describe('Exports', () => {
  it.each(roles)('An export requested by %s is accepted only from the role create on', async role => {
    const params = { spaceId: await aSpace() }
    const response = setup.as(role).exportToGitRepository({ params, body: { ...repository, commitMessage: 'x' } })
    if (role === 'create' || role === 'admin') expect(await response).toBeUndefined()
    else await expect(response).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ url: 'ssh://git.example/x' }, 'body.url'],
    [{ ref: 'main' }, 'body.ref'],
    [{ commitMessage: '' }, 'body.commitMessage'],
    [{ commitMessage: undefined }, 'body.commitMessage'],
    [{ timestamp: 'yesterday' }, 'body.timestamp'],
    [{ gitInfo: { provider: 'github', url: 'nonsense' } }, 'body.gitInfo.url'],
  ])('An export is refused with %j', async (body, path) => {
    const spaceId = await aSpace()
    const refused = worker.requestExport(spaceId, body)
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect((await setup.as('read').listGitOperations({ params: { spaceId } })).count).toBe(0)
  })

  it('An export writes main content, with the caller as the author', async () => {
    const { spaceId, work } = await anExport()
    expect(work).toMatchObject({ direction: 'export', attempt: 1, url: repository.url, force: false })
    expect(work.export).toMatchObject({
      revision: main(spaceId),
      message: 'Export',
      author: { name: 'user-create', email: 'user-create@users.recto.test' },
      committer: { name: 'Recto', email: 'recto@recto.test' },
      content: { now: { wasInRepository: false, pages: [{ title: 'b' }] }, isSameBranch: false },
    })
    const hash = 'a'.repeat(64)
    const { attempts } = setup.service.jobs
    const { bundle, count } = await attempts.bundle(work, work.export?.revision ?? '', [hash])
    expect([count, unpackBundle(await setup.blobs.bytes(bundle)).map(String)]).toEqual([1, [`# ${hash}\n`]])
  })

  it('An export that ends is the base of the next one', async () => {
    const { spaceId, operationId, work } = await anExport({ repoCommitURL: 'https://git.example/docs/commit' })
    const revision = await worker.finishExport(work)
    expect(await worker.finishExport(work)).toBe(revision)
    expect(main(spaceId)).toBe(revision)
    expect(setup.content.applied.at(-1)).toMatchObject({
      operationId,
      work: { kind: 'export', isPartial: false },
      repository: { repoName: 'owner/docs' },
      commit: { oid: 'c0ffee', createdByService: true, url: 'https://git.example/docs/commit/c0ffee' },
    })
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'success', revision, commit: 'c0ffee' })
    const again = await worker.work(await worker.requestExport(spaceId))
    expect(again.export?.content).toMatchObject({ isSameBranch: true, base: { commit: 'c0ffee' } })
  })

  it('A standalone export writes a copy: it is no base of the next one, and content does not link to its commit', async () => {
    const { spaceId, operationId, work } = await anExport({ standalone: true })
    await worker.finishExport(work)
    expect(setup.content.applied.at(-1)?.work).toMatchObject({ kind: 'export', isStandalone: true })
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'success', commit: 'c0ffee' })
    const next = await worker.work(await worker.requestExport(spaceId))
    expect(next.export?.content).not.toHaveProperty('base')
    expect((await worker.finishExport(next)) !== '').toBe(true)
    expect(setup.content.applied.at(-1)?.work).toMatchObject({ isStandalone: false })
  })

  it('An export that follows one which met changes of the branch has these changes, too', async () => {
    const { spaceId, work } = await anExport()
    await worker.finishExport(work, { isPartial: true })
    await edit(spaceId, 'c')
    const next = await worker.work(await worker.requestExport(spaceId))
    await worker.finishExport(next, { oid: 'decade' })
    expect(setup.content.applied.at(-1)?.work).toMatchObject({ kind: 'export', isPartial: true })
  })

  it('An export whose base is another synchronisation has the changes that it met', async () => {
    const { work } = await anExport()
    await worker.finishExport(work, { base: { revision: 'another', isPartial: true } })
    expect(setup.content.applied.at(-1)?.work).toMatchObject({ kind: 'export', isPartial: true })
  })

  it('An export during which main content moves on leaves it where it is', async () => {
    const { spaceId, work } = await anExport()
    await edit(spaceId, 'c')
    const moved = main(spaceId)
    await worker.finishExport(work)
    expect(main(spaceId)).toBe(moved)
  })

  it('An export whose worker ended writes the same revision again, and a retry what main content is by then', async () => {
    const { spaceId, operationId, work } = await anExport()
    await edit(spaceId, 'c')
    await worker.silence(operationId)
    const second = await worker.work(operationId)
    expect([second.attempt, second.export]).toEqual([2, work.export])
    await worker.fail(second)
    await setup.as('create').retryGitOperation({ params: { spaceId, operationId } })
    expect((await worker.work(operationId)).export?.revision).toBe(main(spaceId))
  })

  it('An export whose push has no known outcome sends what it pushed, until the branch is synchronised', async () => {
    const { spaceId, operationId, work } = await anExport()
    const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }
    const records = [{ id: 'b', path: 'b-2.md', oid: 'b10b' }]
    const manifest = await worker.storeJson({ version: 1, configuration, records })
    const pushing = { commit: 'c0ffee', revision: work.export?.revision ?? '', isPartial: false, manifest }
    expect(await worker.report({ ...work, attempt: 2 }, { pushing })).toBe(false)
    expect(await worker.report(work, { pushing })).toBe(true)
    await worker.fail(work)
    await setup.as('create').retryGitOperation({ params: { spaceId, operationId } })
    const again = await worker.work(operationId)
    const pushed = { pushed: 'c0ffee', commit: 'c0ffee', pages: [{ id: 'b', path: 'b-2.md', oid: 'b10b' }] }
    expect(again.export?.content).toMatchObject({ pushed: [pushed] })
    await worker.fail(again)
    const pushedOf = async (body: object) => {
      const next = await worker.work(await worker.requestExport(spaceId, body))
      await worker.fail(next)
      return next.export?.content.pushed
    }
    expect(await pushedOf({})).toMatchObject([pushed])
    expect(await pushedOf({ ref: 'refs/heads/other' })).toBeUndefined()
    expect(await pushedOf({ repoProjectDirectory: 'docs' })).toBeUndefined()
    await worker.import(spaceId, ['a'])
    expect(await pushedOf({})).toBeUndefined()
  })

  it('The base of an export is the last synchronisation with the same folder of the repository', async () => {
    const spaceId = await aSpace()
    await worker.import(spaceId, ['a'])
    const cases = [
      [{ url: 'https://git.example/owner/docs' }, [true, true]],
      [{ ref: 'refs/heads/other' }, [true, false]],
      [{ repoProjectDirectory: 'docs' }, [false, false]],
      [{ url: 'https://git.example/other.git' }, [false, false]],
    ] as const
    for (const [body, expected] of cases) {
      const work = await worker.work(await worker.requestExport(spaceId, body))
      const { base, isSameBranch } = work.export?.content ?? {}
      expect([body, [base !== undefined, isSameBranch]]).toEqual([body, expected])
      await worker.fail(work)
    }
  })

  it('An export names the change request whose merge it exports in its message', async () => {
    const spaceId = await aSpace()
    await setup.content.edit(spaceId, 'b', { merged: { number: 7, subject: 'Say more' } })
    const commitMessage = 'GITBOOK-{change_request_number}: {change_request_subject}'
    const work = await worker.work(await worker.requestExport(spaceId, { commitMessage }))
    expect(work.export?.message).toBe('GITBOOK-7: Say more')
  })

  it('An export is offered synchronisations with other addresses, and one that it chooses is its base', async () => {
    const spaceId = await aSpace()
    const revision = await worker.import(spaceId, ['a'], { oid: 'c1' })
    await edit(spaceId)
    const work = await worker.work(await worker.requestExport(spaceId, { url: 'https://git.example/renamed.git' }))
    expect(work.export?.content).not.toHaveProperty('base')
    expect(work.export?.content.candidates).toEqual([
      { revision, commit: 'c1', root: '', isPartial: false, isSameBranch: true },
    ])
    const { attempts } = setup.service.jobs
    expect(await attempts.describeBase(work, revision)).toMatchObject({ commit: 'c1', pages: [{ title: 'a' }] })
    await expect(attempts.describeBase(work, 'another')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('Legacy installations', () => {
  it.each(roles)('The legacy installation of a space is deleted by %s, though it does not exist', async role => {
    const params = { spaceId: await aSpace() }
    const deleted = setup.as(role).deleteLegacyGitInstallation({ params })
    if (role === 'create' || role === 'admin') expect(await deleted).toBeUndefined()
    else await expect(deleted).rejects.toMatchObject({ code: 'forbidden' })
  })
})
