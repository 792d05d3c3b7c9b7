import { consume, type Delivery } from '@recto/bus'
import { gitJobs } from '@recto/contracts-git-worker-bus'
import { roles } from '@recto/actor'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aWorker, repository } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const aSpace = () => setup.content.aSpace()
const worker = aWorker(() => setup)

describe('Imports', () => {
  it.each(roles)('An import requested by %s is accepted only from the role create on', async role => {
    const spaceId = await aSpace()
    const response = setup.as(role).importGitRepository({ params: { spaceId }, body: repository })
    if (role === 'create' || role === 'admin') expect(await response).toBeUndefined()
    else await expect(response).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ url: 'ssh://git.example/x' }, 'body.url'],
    [{ ref: 'main' }, 'body.ref'],
    [{ timestamp: 'yesterday' }, 'body.timestamp'],
    [{ gitInfo: { provider: 'github', url: 'nonsense' } }, 'body.gitInfo.url'],
    [{ repoCommitURL: 'javascript:alert(1)' }, 'body.repoCommitURL'],
    [{ ref: 'refs/heads/a\0b' }, 'body.ref'],
  ])('An import is refused with %j', async (body, path) => {
    const spaceId = await aSpace()
    const refused = setup
      .as('create')
      .importGitRepository({ params: { spaceId }, body: { ...repository, ...(body as object) } })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect((await setup.as('read').listGitOperations({ params: { spaceId } })).count).toBe(0)
  })

  it('An import ends with the revision that content has made, and the space shows the repository', async () => {
    const spaceId = await aSpace()
    await expect(setup.as('read').getSpaceGitInfo({ params: { spaceId } })).rejects.toMatchObject({ code: 'not_found' })
    const revision = await worker.import(spaceId, ['start'])
    expect(setup.content.space(spaceId).revision).toBe(revision)
    expect(await setup.as('read').getSpaceGitInfo({ params: { spaceId } })).toMatchObject({
      url: repository.url,
      repoName: 'owner/docs',
      operation: { state: 'success', direction: 'import', startedAt: expect.any(String), endedAt: expect.any(String) },
      operationTimeout: expect.any(Number),
    })
    const { items } = await setup.as('read').listGitOperations({ params: { spaceId } })
    expect(items).toMatchObject([{ state: 'success', revision, commit: 'c0ffee', attempts: 1, warnings: [] }])
  })

  it('An import links files and commits below the URLs of the request', async () => {
    const spaceId = await aSpace()
    const repoTreeURL = 'https://git.example/docs/tree/main'
    await worker.import(spaceId, ['start'], { repoTreeURL, repoCommitURL: 'https://git.example/docs/commit' })
    expect(setup.content.applied.at(-1)).toMatchObject({
      commit: { oid: 'c0ffee', url: 'https://git.example/docs/commit/c0ffee' },
      repository: { url: repoTreeURL },
    })
  })

  it.each([{}, { provider: 'gitlab' as const }, { url: 'https://git.example/docs/tree/main' }])(
    'An import records the repository of the space from %j',
    async gitInfo => {
      const spaceId = await aSpace()
      await worker.import(spaceId, ['start'], { gitInfo })
      const { installationProvider, url } = await setup.as('read').getSpaceGitInfo({ params: { spaceId } })
      expect({ installationProvider, url }).toEqual({
        installationProvider: gitInfo.provider ?? 'github-legacy',
        url: gitInfo.url ?? repository.url,
      })
    },
  )

  it('An import gives its credentials to the worker only', async () => {
    const spaceId = await aSpace()
    const url = 'https://user:hunter2@git.example/docs.git?private_token=hunter2'
    const operationId = await worker.requestImport(spaceId, { url })
    const rows = await setup.db.query(`select to_jsonb(o)::text as everything from git_operations o where id = $1`, [
      operationId,
    ])
    const outbox = await setup.db.query(`select payload::text from outbox where id = $1`, [operationId])
    expect(JSON.stringify([rows, outbox, await worker.see(spaceId, operationId)])).not.toMatch(/hunter2/)
    const work = await worker.work(operationId)
    expect(work).toMatchObject({
      url: 'https://git.example/docs.git',
      credentials: { username: 'user', password: 'hunter2', query: '?private_token=hunter2' },
    })
    await worker.finishImport(work, ['a'])
    expect((await setup.db.query(`select credentials from git_operations where id = $1`, [operationId]))[0]).toEqual({
      credentials: null,
    })
    expect(JSON.stringify(setup.content.applied)).not.toMatch(/hunter2/)
  })

  it('An import with standalone does not move main content', async () => {
    const spaceId = await aSpace()
    const main = await worker.import(spaceId, ['start'])
    await worker.import(spaceId, ['preview'], { standalone: true, oid: 'decade' })
    expect(setup.content.space(spaceId).revision).toBe(main)
  })
})

describe('Queues of spaces', () => {
  it('The queue of a space runs one operation at a time, in the order of the requests', async () => {
    const spaceId = await aSpace()
    const first = await worker.requestImport(spaceId)
    const second = await worker.requestImport(spaceId)
    const dispatched = () =>
      setup.db.query(`select id from git_operations where space_id = $1 and dispatched order by created_at`, [spaceId])
    expect(await dispatched()).toEqual([{ id: first }])
    await worker.finishImport(await worker.work(first), ['a'])
    expect(await dispatched()).toEqual([{ id: first }, { id: second }])
  })

  it('The queue of a space accepts many concurrent imports of one space and of several', async () => {
    const spaces = await Promise.all([aSpace(), aSpace(), aSpace()])
    const body = repository
    const responses = Array.from({ length: 24 }, (_, at) =>
      setup.as('create').importGitRepository({ params: { spaceId: spaces[at % 3] ?? '' }, body }),
    )
    expect(await Promise.all(responses)).toEqual(responses.map(() => undefined))
    for (const spaceId of spaces)
      expect((await setup.as('read').listGitOperations({ params: { spaceId } })).count).toBe(8)
  })

  it('The queue of a space skips operations older than the last one that finished, unless forced', async () => {
    const spaceId = await aSpace()
    await worker.import(spaceId, ['a'], { timestamp: '2026-02-01T00:00:00Z' })
    const old = await worker.requestImport(spaceId, { timestamp: '2026-01-01T00:00:00Z' })
    expect(await worker.see(spaceId, old)).toMatchObject({ state: 'skipped', completedAt: expect.any(String) })
    expect(await worker.start(old)).toBe('done')
    const forced = await worker.requestImport(spaceId, { timestamp: '2026-01-01T00:00:00Z', force: true })
    expect(await worker.start(forced)).toMatchObject({ force: true })
  })
})

describe('Workers', () => {
  const progress = { done: 3, total: 9 }

  it('A worker keeps its lease while it reports, and no other worker gets the operation', async () => {
    const spaceId = await aSpace()
    const operationId = await worker.requestImport(spaceId)
    const work = await worker.work(operationId)
    expect(work).toMatchObject({ attempt: 1 })
    expect(await worker.start(operationId)).toBe('busy')
    expect(await worker.report(work, { stage: 'content_process', progress })).toBe(true)
    expect(await worker.see(spaceId, operationId)).toMatchObject({
      state: 'running',
      stage: 'content_process',
      progress,
    })
  })

  it('A worker that stops reporting loses its lease, and its late results are rejected', async () => {
    const spaceId = await aSpace()
    const operationId = await worker.requestImport(spaceId)
    const first = await worker.work(operationId)
    await worker.silence(operationId)
    const second = await worker.work(operationId)
    expect(second).toMatchObject({ attempt: 2 })
    expect(await worker.report(first)).toBe(false)
    await expect(worker.finishImport(first, ['late'])).rejects.toMatchObject({ code: 'conflict' })
    const revision = await worker.finishImport(second, ['early'])
    expect(await worker.finishImport(second, ['again'])).toBe(revision)
    expect(setup.content.pages(spaceId)).toEqual(['early'])
  })

  it('A worker that fails permanently ends the operation with an error, and it can be retried', async () => {
    const spaceId = await aSpace()
    const operationId = await worker.requestImport(spaceId)
    const params = { spaceId, operationId }
    const error = { code: 'branch_not_found' as const, message: 'There is no branch main' }
    expect(await worker.fail(await worker.work(operationId), { error })).toEqual({ retry: false })
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'failure', error })
    await expect(setup.as('edit').retryGitOperation({ params })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await setup.as('create').retryGitOperation({ params })).toMatchObject({ state: 'queued', attempts: 0 })
    const retried = await worker.work(operationId)
    expect(retried).toMatchObject({ attempt: 1, lease: 2 })
    await expect(setup.as('create').retryGitOperation({ params })).rejects.toMatchObject({ code: 'conflict' })
    await worker.finishImport(retried, ['a'])
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'success', attempts: 1 })
  })

  it('A worker that fails temporarily is retried a limited number of times', async () => {
    const spaceId = await aSpace()
    const operationId = await worker.requestImport(spaceId)
    const error = { code: 'unreachable' as const, message: 'Nobody answers' }
    const attempts: unknown[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1)
      attempts.push(await worker.fail(await worker.work(operationId), { error, retry: true }))
    expect(attempts).toEqual([{ retry: true }, { retry: true }, { retry: true }, { retry: true }, { retry: false }])
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'failure', error, attempts: 5 })
  })

  it('A worker that gets no reply from content has made no attempt', async () => {
    const operationId = await worker.requestImport(await aSpace())
    const attempt = await worker.start(operationId)
    if (typeof attempt === 'string') throw new Error(`the operation is ${attempt}`)
    await setup.service.jobs.attempts.undo(attempt)
    expect(await worker.work(operationId)).toMatchObject({ attempt: 1, lease: 2 })
  })
})

describe('The job stream', () => {
  it('Jobs are enqueued again when the stream was deleted', async () => {
    const deliveries: Delivery[] = []
    const settings = {
      stream: 'JOBS' as const,
      filter: gitJobs.importRepository.subject,
      ackWait: 2_000,
      maxDeliver: 10,
      maxInFlight: 100,
    }
    const handle = async (delivery: Delivery) => (deliveries.push(delivery), 'done' as const)
    const log = { error: () => undefined, warn: () => undefined }
    const consumer = consume(setup.worker, { ...settings, log, handle, deadLettered: async () => undefined })
    const enqueued = () => deliveries.map(({ payload }) => (payload as { operationId: string }).operationId)
    const first = await worker.requestImport(await aSpace())
    await eventually(() => expect(enqueued()).toContain(first))
    await setup.operator.manager.streams.delete('JOBS')
    deliveries.length = 0
    const second = await worker.requestImport(await aSpace())
    await eventually(() => expect(enqueued()).toEqual(expect.arrayContaining([first, second])))
    await consumer.stop()
  })
})
