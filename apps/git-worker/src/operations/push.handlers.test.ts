import { roles } from '@recto/actor'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runJob } from '../jobs/run-job.ts'
import { aWorker } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const worker = aWorker(() => setup)
const aSpace = () => setup.content.aSpace()
const commit = 'c0ffee'.padEnd(40, '0')
const anUpload = async (createdBy = 'user-edit') => {
  const { hash } = await setup.blobs.put(Buffer.from('a pack'))
  const key = `upload-${setup.content.uploads.size}`
  setup.content.uploads.set(key, { createdBy, hash })
  return key
}

type Client = ReturnType<GitSetup['as']>
type Body = Partial<Parameters<Client['pushToSpace']>[0]['body']>

const push = async (spaceId: string, body: Body = {}, role: (typeof roles)[number] = 'edit') =>
  setup.as(role).pushToSpace({ params: { spaceId }, body: { upload: await anUpload(`user-${role}`), commit, ...body } })
const mainOf = (spaceId: string) => setup.content.space(spaceId).revision

/** Runs a push whose folder has these pages; resolves to its operation. */
async function finish(spaceId: string, operationId: string, pages = ['a']) {
  const attempt = await worker.work(operationId)
  const manifest = await worker.storeJson({ pages })
  const done = { commit: { oid: commit, message: 'A folder', ref: '' }, manifest }
  const refused = await setup.service.jobs.attempts.finishImport(attempt, done).then(
    () => undefined,
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  )
  if (refused) await worker.fail(attempt, { error: refused as never })
  return worker.see(spaceId, operationId)
}

describe('A request for a push', () => {
  it.each(roles)('A push by the role %s is accepted from the role edit on', async role => {
    const spaceId = await aSpace()
    const isAllowed = ['edit', 'review', 'create', 'admin'].includes(role)
    expect(await failure(push(spaceId, {}, role))).toBe(isAllowed ? undefined : 'forbidden')
  })

  it.each<[Body, string]>([
    [{ commit: 'HEAD' }, 'body.commit'],
    [{ commit: 'C0FFEE'.padEnd(40, '0') }, 'body.commit'],
    [{ message: '' }, 'body.message'],
    [{ changeRequest: {} as never }, 'body.changeRequest'],
  ])('A push with %j is a bad request', async (body, path) => {
    const refused = push(await aSpace(), body)
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: expect.stringContaining(path) }],
    })
  })

  it.each<[string, (spaceId: string) => Promise<Body> | Body, string | undefined]>([
    ['of main content', spaceId => ({ base: mainOf(spaceId) }), undefined],
    ['of other content', () => ({ base: 'other' }), 'conflict'],
    ['of other content, by force', () => ({ base: 'other', force: true }), undefined],
    ['of an upload of somebody else', async () => ({ upload: await anUpload('user-admin') }), 'not_found'],
    ['of an upload that is missing', () => ({ upload: 'none' }), 'not_found'],
  ])('A push %s is queued, or refused as content says', async (_which, body, expected) => {
    const spaceId = await aSpace()
    expect(await failure(push(spaceId, await body(spaceId)))).toBe(expected)
    const { count } = await setup.as('read').listGitOperations({ params: { spaceId } })
    expect(count).toBe(expected ? 0 : 1)
  })

  it('A push to a deleted space is refused', async () => {
    const spaceId = await aSpace()
    setup.content.remove(spaceId)
    expect(await failure(push(spaceId))).toBe('conflict')
  })

  it('The operation of a push names its message, its change request, and no repository', async () => {
    const spaceId = await aSpace()
    const operation = await push(spaceId, { message: 'Explain it', changeRequest: { id: '7' } })
    expect(operation).toMatchObject({
      direction: 'import',
      automatic: false,
      message: 'Explain it',
      changeRequest: '7',
    })
    expect(Object.keys(operation)).toEqual(expect.not.arrayContaining(['url', 'ref', 'upload']))
  })
})

describe('The operation of a push', () => {
  it('A push of a folder becomes main content, and the space shows no repository', async () => {
    const spaceId = await aSpace()
    const { id } = await push(spaceId, { base: mainOf(spaceId) })
    expect(await finish(spaceId, id)).toMatchObject({ state: 'success', revision: mainOf(spaceId), commit })
    expect(setup.content.pages(spaceId)).toEqual(['a'])
    expect(await failure(setup.as('read').getSpaceGitInfo({ params: { spaceId } }))).toBe('not_found')
    expect(setup.content.applied.at(-1)).toMatchObject({ work: { kind: 'push', force: false }, createdBy: 'user-edit' })
    expect(setup.content.applied.at(-1)).not.toHaveProperty('repository')
  })

  it('A push into a change request names it, once it is applied', async () => {
    const spaceId = await aSpace()
    const before = mainOf(spaceId)
    const { id, ...operation } = await push(spaceId, { changeRequest: { subject: 'Tour' } })
    expect(operation).not.toHaveProperty('changeRequest')
    const ended = await finish(spaceId, id)
    expect([ended.changeRequest, ended.state, mainOf(spaceId)]).toEqual(['change request of Tour', 'success', before])
  })

  it('A push fails when its base moves before its turn, and may be retried', async () => {
    const spaceId = await aSpace()
    const { id } = await push(spaceId, { base: mainOf(spaceId) })
    await setup.content.edit(spaceId, 'more')
    const main = mainOf(spaceId)
    expect(await finish(spaceId, id)).toMatchObject({ state: 'failure', error: { code: 'content_moved' } })
    await setup.as('create').retryGitOperation({ params: { spaceId, operationId: id } })
    expect(await finish(spaceId, id)).toMatchObject({ state: 'failure', error: { code: 'content_moved' } })
    expect(mainOf(spaceId)).toBe(main)
  })

  it('A push is not skipped for an import of a later time, and skips none', async () => {
    const spaceId = await aSpace()
    await worker.import(spaceId, ['start'], { timestamp: '2100-01-01T00:00:00Z' })
    const { id } = await push(spaceId)
    expect(await finish(spaceId, id)).toMatchObject({ state: 'success' })
    const earlier = await worker.requestImport(spaceId, { timestamp: '2100-01-02T00:00:00Z' })
    expect(await worker.see(spaceId, earlier)).toMatchObject({ state: 'queued' })
  })

  it('Pushes and imports of a space run one after another, in the order of the requests', async () => {
    const spaceId = await aSpace()
    const first = await push(spaceId)
    const second = await worker.requestImport(spaceId)
    const third = await push(spaceId)
    expect(await Promise.all([second, third.id].map(worker.start))).toEqual(['done', 'done'])
    await finish(spaceId, first.id, ['first'])
    await worker.finishImport(await worker.work(second), ['second'])
    await finish(spaceId, third.id, ['third'])
    expect(setup.content.pages(spaceId)).toEqual(['third'])
  })

  it('An attempt after one that was applied ends the push with the recorded outcome', async () => {
    const spaceId = await aSpace()
    const { id } = await push(spaceId, { changeRequest: { subject: 'Once' } })
    const attempt = await worker.work(id)
    setup.content.beforeReply = () => {
      throw new Error('the reply is lost')
    }
    const manifest = await worker.storeJson({ pages: ['a'] })
    const done = { commit: { oid: commit, message: 'A folder', ref: '' }, manifest }
    await expect(setup.service.jobs.attempts.finishImport(attempt, done)).rejects.toThrow()
    setup.content.beforeReply = () => undefined
    await worker.silence(id)
    const again = await worker.start(id)
    if (typeof again === 'string') throw new Error(again)
    expect(await setup.service.jobs.attempts.prepare(again)).toBeUndefined()
    expect(await worker.see(spaceId, id)).toMatchObject({ state: 'success', changeRequest: 'change request of Once' })
  })

  it('A push whose upload is gone fails with a reason', async () => {
    const spaceId = await aSpace()
    const upload = await anUpload()
    const { id } = await push(spaceId, { upload })
    setup.content.uploads.delete(upload)
    const { attempts } = setup.service.jobs
    const tools = { attempts, blobs: setup.blobs, log: { info: () => undefined, error: () => undefined } }
    await runJob({ ...tools, signal: new AbortController().signal, limits: { jobTimeoutMs: 60_000 } } as never, {
      operationId: id,
    })
    expect(await worker.see(spaceId, id)).toMatchObject({ state: 'failure', error: { code: 'upload_missing' } })
  })
})
