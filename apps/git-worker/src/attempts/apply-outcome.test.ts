import { Failure } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aSynchronisation } from '../test/a-synchronisation.ts'
import { aWorker } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
beforeEach(() => void (setup.content.beforeReply = () => undefined))
afterAll(() => setup.stop())

const worker = aWorker(() => setup)
const sync = aSynchronisation(() => setup)
/** Content commits what it applies, and its answer is lost. */
const loseAnswer = () => {
  setup.content.beforeReply = () => {
    setup.content.beforeReply = () => undefined
    throw new Failure('unavailable', 'content is killed')
  }
}
const revisions = (spaceId: string) => setup.content.space(spaceId).revisions.length

describe('Operations that content applied and git-worker could not record', () => {
  it('An import that content applied and git-worker could not record is recorded when the worker asks again', async () => {
    const spaceId = await setup.content.aSpace()
    const operationId = await worker.requestImport(spaceId)
    const work = await worker.work(operationId)
    loseAnswer()
    await expect(worker.finishImport(work, ['a'])).rejects.toMatchObject({ code: 'unavailable' })
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'running' })
    const revision = await worker.finishImport(work, ['a'])
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'success', revision, commit: 'c0ffee' })
    expect(revisions(spaceId)).toBe(2)
  })

  it.each(['import', 'export'] as const)(
    'An %s that content applied and git-worker could not record is recorded by the next attempt, which does nothing else',
    async direction => {
      const spaceId = await setup.content.aSpace()
      await setup.content.edit(spaceId, 'b')
      const operationId = await (direction === 'import' ? worker.requestImport(spaceId) : worker.requestExport(spaceId))
      const work = await worker.work(operationId)
      loseAnswer()
      const finished = direction === 'import' ? worker.finishImport(work, ['a']) : worker.finishExport(work)
      await expect(finished).rejects.toMatchObject({ code: 'unavailable' })
      const revision = setup.content.space(spaceId).revision
      // Somebody edits it before the next attempt.
      await setup.content.edit(spaceId, 'c')
      await worker.silence(operationId)
      const attempt = await worker.start(operationId)
      if (typeof attempt === 'string') throw new Error(`the operation is ${attempt}`)
      expect(await setup.service.jobs.attempts.prepare(attempt)).toBeUndefined()
      expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'success', revision, attempts: 2 })
      expect(await worker.start(operationId)).toBe('done')
      expect(revisions(spaceId)).toBe(4)
    },
  )

  it('A synchronisation whose operation could not be recorded goes on as if it had been recorded at once', async () => {
    const spaceId = await sync.synchronised('both')
    await setup.content.edit(spaceId, 'b')
    const work = await sync.start(spaceId, 'export')
    loseAnswer()
    await expect(worker.finishExport(work, { oid: 'c2' })).rejects.toMatchObject({ code: 'unavailable' })
    await worker.silence(work.operationId)
    const attempt = await worker.start(work.operationId)
    if (typeof attempt === 'string') throw new Error(`the operation is ${attempt}`)
    await setup.service.jobs.attempts.prepare(attempt)
    await eventually(async () => expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized' }))
    await sync.waitUntilDecided(spaceId)
    expect(await sync.get(spaceId)).toMatchObject({ commit: 'c2', revision: setup.content.space(spaceId).revision })
    expect(await sync.open(spaceId)).toEqual([])
  })

  it('An operation that could not be recorded stays ended when an operator ended it meanwhile', async () => {
    const spaceId = await setup.content.aSpace()
    const operationId = await worker.requestImport(spaceId)
    const work = await worker.work(operationId)
    await worker.fail(work, { error: { code: 'gave_up', message: 'An operator ended the operation' } })
    await expect(worker.finishImport(work, ['a'])).rejects.toMatchObject({ code: 'conflict' })
    expect(await worker.see(spaceId, operationId)).toMatchObject({ state: 'failure' })
    expect(revisions(spaceId)).toBe(1)
  })
})
