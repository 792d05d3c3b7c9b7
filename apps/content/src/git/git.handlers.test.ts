import { consume, type Delivery } from '@recto/bus'
import { gitJobs } from '@recto/contracts-git-worker'
import { roles } from '@recto/actor'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aManifest, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const aSpace = async () =>
  (await content.as('create').createSpace({ params: { organizationId: organization }, body: {} })).id
const repository = { url: 'https://git.example/owner/docs.git', ref: 'refs/heads/main' }

async function ask(spaceId: string, body = {}): Promise<string> {
  await content.as('create').importGitRepository({ params: { spaceId }, body: { ...repository, ...body } })
  const { items } = await content.as('create').listGitOperations({ params: { spaceId }, query: { limit: 1 } })
  return items[0]?.id ?? ''
}
const see = (spaceId: string, operationId: string) =>
  content.as('read').getGitOperation({ params: { spaceId, operationId } })
const start = (operationId: string) => content.calls.startGitOperation({ body: { operationId } })

async function finish(operationId: string, attempt: number, pages: Record<string, string>, oid = 'c0ffee') {
  const { hash: manifest } = await content.blobs.put(
    Buffer.from(JSON.stringify(await aManifest(content.blobs, { pages }))),
  )
  return content.calls.finishGitImport({
    body: { operationId, attempt, commit: { oid, message: 'm', ref: repository.ref }, manifest },
  })
}

describe('an import', () => {
  it.each(roles)('requested by %s', async role => {
    const spaceId = await aSpace()
    const asked = content.as(role).importGitRepository({ params: { spaceId }, body: repository })
    if (role === 'create' || role === 'admin') expect(await asked).toBeUndefined()
    else await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ url: 'ssh://git.example/x' }, 'body.url'],
    [{ ref: 'main' }, 'body.ref'],
    [{ timestamp: 'yesterday' }, 'body.timestamp'],
    [{ gitInfo: { provider: 'github', url: 'nonsense' } }, 'body.gitInfo.url'],
    [{ repoCommitURL: 'javascript:alert(1)' }, 'body.repoCommitURL'],
    [{ ref: 'refs/heads/a\0b' }, 'body.ref'],
  ])('is refused with %j', async (body, path) => {
    const spaceId = await aSpace()
    const refused = content
      .as('create')
      .importGitRepository({ params: { spaceId }, body: { ...repository, ...(body as object) } })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect((await content.as('read').listGitOperations({ params: { spaceId } })).count).toBe(0)
  })

  it('moves main content to the imported revision, and shows the repository', async () => {
    const spaceId = await aSpace()
    await expect(content.as('read').getSpaceGitInfo({ params: { spaceId } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const revision = await importInto(content, spaceId, { pages: { start: '# Start\n' } })
    expect(await content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({
      revision,
      gitSync: { repoName: 'docs' },
    })
    expect(await content.as('read').getSpaceGitInfo({ params: { spaceId } })).toMatchObject({
      url: 'https://git.example/docs.git',
    })
    const { items } = await content.as('read').listGitOperations({ params: { spaceId } })
    expect(items).toMatchObject([{ state: 'success', revision, commit: 'c0ffee', attempts: 1, warnings: [] }])
  })

  it('links files and commits below the URLs of the request', async () => {
    const spaceId = await aSpace()
    const links = {
      repoTreeURL: 'https://git.example/docs/tree/main',
      repoCommitURL: 'https://git.example/docs/commit',
    }
    const revisionId = await importInto(content, spaceId, { pages: { start: '# Start\n' } }, links)
    const { git } = await content.as('read').getRevisionById({ params: { spaceId, revisionId } })
    expect(git).toMatchObject({ oid: 'c0ffee', url: 'https://git.example/docs/commit/c0ffee' })
    const info = await content.as('read').getSpaceGitInfo({ params: { spaceId } })
    expect([info.url, (await content.as('read').getSpaceById({ params: { spaceId } })).gitSync?.url]).toEqual([
      links.repoTreeURL,
      links.repoTreeURL,
    ])
  })

  it.each([{}, { provider: 'gitlab' as const }, { url: 'https://git.example/docs/tree/main' }])(
    'records the repository of the space from %j',
    async gitInfo => {
      const spaceId = await aSpace()
      await importInto(content, spaceId, { pages: { start: '# Start\n' } }, { gitInfo })
      const { installationProvider, url } = await content.as('read').getSpaceGitInfo({ params: { spaceId } })
      expect({ installationProvider, url }).toEqual({
        installationProvider: gitInfo.provider,
        url: gitInfo.url ?? 'https://git.example/docs.git',
      })
    },
  )

  it('returns credentials to the worker only', async () => {
    const spaceId = await aSpace()
    const operationId = await ask(spaceId, { url: 'https://user:hunter2@git.example/docs.git?private_token=hunter2' })
    const rows = await content.service.db.query(
      `select to_jsonb(o)::text as everything from git_operations o where id = $1`,
      [operationId],
    )
    const outbox = await content.service.db.query(`select payload::text from outbox where id = $1`, [operationId])
    expect(JSON.stringify([rows, outbox, await see(spaceId, operationId)])).not.toMatch(/hunter2/)
    expect(await start(operationId)).toMatchObject({
      state: 'run',
      url: 'https://git.example/docs.git',
      credentials: { username: 'user', password: 'hunter2', query: '?private_token=hunter2' },
    })
    await finish(operationId, 1, { a: 'x' })
    expect(
      (await content.service.db.query(`select credentials from git_operations where id = $1`, [operationId]))[0],
    ).toEqual({ credentials: null })
  })

  it('of the same content and commit writes no revision, and the worker need not upload anything', async () => {
    const spaceId = await aSpace()
    const first = await importInto(content, spaceId, { pages: { start: '# Start\n' }, files: { 'a.txt': 'ay' } })
    const operationId = await ask(spaceId)
    const work = await start(operationId)
    expect(work).toMatchObject({ known: [{ oid: expect.any(String) }, { size: 2 }] })
    await content.calls.failGitOperation({
      body: { operationId, attempt: 1, error: { code: 'internal', message: 'x' }, retry: false, warnings: [] },
    })
    expect(await importInto(content, spaceId, { pages: { start: '# Start\n' }, files: { 'a.txt': 'ay' } })).toBe(first)
  })

  it('keeps the ids of pages and files, also when they move', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { one: '# One\n', two: '# Two\n' } })
    const ids = async () =>
      Object.fromEntries(
        (await content.as('read').listPages({ params: { spaceId } })).pages.map(page => [page.title, page.id]),
      )
    const before = await ids()
    await importInto(content, spaceId, { pages: { moved: '# One\n', two: '# Two, edited\n' } }, { oid: 'decade' })
    expect(await ids()).toEqual({ 'Page moved': before['Page one'], 'Page two': before['Page two'] })
  })

  it('with standalone writes a revision and does not move main content', async () => {
    const spaceId = await aSpace()
    const main = await importInto(content, spaceId, { pages: { start: '# Start\n' } })
    const preview = await importInto(
      content,
      spaceId,
      { pages: { start: '# Preview\n' } },
      { standalone: true, oid: 'decade' },
    )
    expect(await content.as('read').getSpaceById({ params: { spaceId } })).toMatchObject({ revision: main })
    expect(await content.as('read').getRevisionById({ params: { spaceId, revisionId: preview } })).toMatchObject({
      parents: [main],
    })
  })
})

describe('the queue of a space', () => {
  it('runs one operation at a time, in the order of the requests', async () => {
    const spaceId = await aSpace()
    const [first, second] = [await ask(spaceId), await ask(spaceId)]
    const dispatched = () =>
      content.service.db.query(`select id from git_operations where space_id = $1 and dispatched order by created_at`, [
        spaceId,
      ])
    expect(await dispatched()).toEqual([{ id: first }])
    await start(first)
    await finish(first, 1, { a: 'x' })
    expect(await dispatched()).toEqual([{ id: first }, { id: second }])
  })

  it('accepts many concurrent imports of one space and of several', async () => {
    const spaces = await Promise.all([aSpace(), aSpace(), aSpace()])
    const body = repository
    const asked = Array.from({ length: 24 }, (_, at) =>
      content.as('create').importGitRepository({ params: { spaceId: spaces[at % 3] ?? '' }, body }),
    )
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined))
    for (const spaceId of spaces)
      expect((await content.as('read').listGitOperations({ params: { spaceId } })).count).toBe(8)
  })

  it('skips operations older than the last one that finished, unless forced', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { a: 'x' } }, { timestamp: '2026-02-01T00:00:00Z' })
    const old = await ask(spaceId, { timestamp: '2026-01-01T00:00:00Z' })
    expect(await see(spaceId, old)).toMatchObject({ state: 'skipped', completedAt: expect.any(String) })
    expect(await start(old)).toEqual({ state: 'done' })
    const forced = await ask(spaceId, { timestamp: '2026-01-01T00:00:00Z', force: true })
    expect(await start(forced)).toMatchObject({ state: 'run', force: true })
  })
})

describe('a worker', () => {
  it('keeps its lease while it reports, and no other worker gets the operation', async () => {
    const spaceId = await aSpace()
    const operationId = await ask(spaceId)
    expect(await start(operationId)).toMatchObject({ state: 'run', attempt: 1 })
    expect(await start(operationId)).toEqual({ state: 'busy' })
    const report = { operationId, attempt: 1, stage: 'content_process' as const, progress: { done: 3, total: 9 } }
    expect(await content.calls.reportGitOperation({ body: report })).toEqual({ continue: true })
    expect(await see(spaceId, operationId)).toMatchObject({
      state: 'running',
      stage: 'content_process',
      progress: { done: 3, total: 9 },
    })
  })

  it('that stops reporting loses its lease, and its late results are rejected', async () => {
    const spaceId = await aSpace()
    const operationId = await ask(spaceId)
    await start(operationId)
    await content.service.db.query(
      `update git_operations set heartbeat_at = now() - interval '1 minute' where id = $1`,
      [operationId],
    )
    expect(await start(operationId)).toMatchObject({ state: 'run', attempt: 2 })
    expect(
      await content.calls.reportGitOperation({
        body: { operationId, attempt: 1, stage: 'finalize', progress: { done: 0, total: 0 } },
      }),
    ).toEqual({ continue: false })
    await expect(finish(operationId, 1, { late: 'x' })).rejects.toMatchObject({ code: 'conflict' })
    const { revision } = await finish(operationId, 2, { early: 'x' })
    expect(await finish(operationId, 2, { again: 'x' })).toEqual({ revision })
    expect((await content.as('read').listPages({ params: { spaceId } })).pages).toMatchObject([{ path: 'early' }])
  })

  it('that fails permanently ends the operation with an error, and it can be retried', async () => {
    const spaceId = await aSpace()
    const operationId = await ask(spaceId)
    await start(operationId)
    const error = { code: 'branch_not_found' as const, message: 'There is no branch main' }
    expect(
      await content.calls.failGitOperation({ body: { operationId, attempt: 1, error, retry: false, warnings: [] } }),
    ).toEqual({ retry: false })
    expect(await see(spaceId, operationId)).toMatchObject({ state: 'failure', error })
    await expect(content.as('edit').retryGitOperation({ params: { spaceId, operationId } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await content.as('create').retryGitOperation({ params: { spaceId, operationId } })).toMatchObject({
      state: 'queued',
      attempts: 0,
    })
    expect(await start(operationId)).toMatchObject({ state: 'run', attempt: 1 })
    await expect(content.as('create').retryGitOperation({ params: { spaceId, operationId } })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('that fails temporarily is retried a limited number of times', async () => {
    const spaceId = await aSpace()
    const operationId = await ask(spaceId)
    const error = { code: 'unreachable' as const, message: 'Nobody answers' }
    const attempts: unknown[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await start(operationId)
      attempts.push(
        await content.calls.failGitOperation({ body: { operationId, attempt, error, retry: true, warnings: [] } }),
      )
    }
    expect(attempts).toEqual([{ retry: true }, { retry: true }, { retry: true }, { retry: true }, { retry: false }])
    expect(await see(spaceId, operationId)).toMatchObject({ state: 'failure', error, attempts: 5 })
  })

  it('gets the known blobs of its own space only', async () => {
    const [spaceId, otherId] = [await aSpace(), await aSpace()]
    await importInto(content, spaceId, { pages: { secret: '# Secret\n' } })
    expect(await start(await ask(otherId))).toMatchObject({ state: 'run', known: [] })
  })
})

describe('jobs', () => {
  it('are enqueued again when the stream was deleted', async () => {
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
    const consumer = consume(content.worker, { ...settings, log, handle, deadLettered: async () => undefined })
    const enqueued = () => deliveries.map(({ payload }) => (payload as { operationId: string }).operationId)
    const first = await ask(await aSpace())
    await eventually(() => expect(enqueued()).toContain(first))
    await content.operator.manager.streams.delete('JOBS')
    deliveries.length = 0
    const second = await ask(await aSpace())
    await eventually(() => expect(enqueued()).toEqual(expect.arrayContaining([first, second])))
    await consumer.stop()
  })
})
