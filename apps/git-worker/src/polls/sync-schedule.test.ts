import { busClient } from '@recto/bus'
import { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { transact } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aSynchronisation, branch } from '../test/a-synchronisation.ts'
import { pollSchedule } from './sync-schedule.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)
const edit = (spaceId: string, title: string) => setup.content.edit(spaceId, title.toLowerCase())
const pages = (spaceId: string) => setup.content.pages(spaceId)

const count = async (spaceId: string) => (await sync.operations(spaceId)).length

describe('Webhooks', () => {
  it('A webhook of a push requests a poll, which starts the import', async () => {
    const spaceId = await sync.synchronised('import')
    expect(await sync.push(spaceId, 'c2')).toEqual({
      object: 'git-webhook',
      started: true,
      message: expect.any(String),
    })
    expect(await sync.open(spaceId)).toEqual([])
    const { work, finish } = await sync.poll(spaceId)
    expect(work).toMatchObject(branch)
    await finish({ tip: 'c2' })
    await sync.import(spaceId, ['a', 'b'], 'c2')
    expect(await pages(spaceId)).toEqual(['a', 'b'])
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized', commit: 'c2' })
  })

  it('A webhook for a synchronised commit, another branch, a deleted branch or a space that is only exported starts nothing', async () => {
    const both = await sync.synchronised('both')
    const exported = await sync.synchronised('export')
    const replies = [
      await sync.push(both, 'c1'),
      await sync.push(both, 'c2', { ref: 'refs/heads/other' }),
      await sync.push(both, '0'.repeat(40)),
      await sync.push(exported, 'c2'),
    ]
    expect(replies).toEqual(Array(4).fill({ object: 'git-webhook', started: false, message: expect.any(String) }))
    expect(new Set(replies.map(({ message }) => message)).size).toBe(4)
    expect([await sync.isPolled(both), await sync.isPolled(exported)]).toEqual([false, false])
  })

  it('A webhook that arrives again and again starts no operation', async () => {
    const spaceId = await sync.synchronised('both')
    await sync.push(spaceId, 'c2')
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    await sync.import(spaceId, ['a'], 'c2')
    const before = await count(spaceId)
    for (const commit of ['c1', 'c2', 'c1', 'older']) {
      await sync.push(spaceId, commit)
      if (await sync.isPolled(spaceId)) await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    }
    expect(await count(spaceId)).toBe(before)
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized' })
  })

  it('A webhook during an operation requests a poll after it, which recognizes the commit of the operation', async () => {
    const spaceId = await sync.synchronised('both')
    await edit(spaceId, 'B')
    const work = await sync.start(spaceId, 'export')
    await sync.push(spaceId, 'c2')
    expect(await sync.isPolled(spaceId)).toBe(false)
    await sync.worker.fail(work, { retry: true })
    await sync.export(spaceId, 'c2')
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    await sync.waitUntilDecided(spaceId)
    expect([await sync.open(spaceId), await count(spaceId), await sync.isPolled(spaceId)]).toEqual([[], 2, false])
  })
})

describe('Polls', () => {
  it('A poll starts when it is due, once for two processes, and again after its interval', async () => {
    const spaceId = await sync.synchronised('import', { pollInterval: 60 })
    const other = await setup.startAgain()
    await sync.makeDue(spaceId)
    await eventually(async () => expect(await sync.isPolled(spaceId)).toBe(true))
    const jobs = await setup.db.query(`select id from outbox where subject = 'jobs.git.poll' and id = $1`, [
      (await sync.rowOf(spaceId)).id,
    ])
    expect(jobs).toHaveLength(1)
    const { finish, work } = await sync.poll(spaceId)
    await finish({ tip: 'c1' })
    await finish({ tip: 'c9' })
    const { dueAt, pollId } = await sync.rowOf(spaceId)
    expect(pollId).toBeNull()
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(30_000)
    expect(await count(spaceId)).toBe(1)
    expect(work).toBeDefined()
    expect((await sync.poll(spaceId)).work).toBeUndefined()
    await other.stop()
  })

  it('A poll of the branch is started once by many schedules that run at the same time', async () => {
    const spaceId = await sync.synchronised('import')
    const { db } = setup
    const started: string[] = []
    const transaction: RunTransaction = work =>
      transact(
        db,
        () => undefined,
        tx => {
          const { enqueue } = tx
          return work(
            Object.assign(tx, {
              enqueue: (...job: Parameters<typeof enqueue>) => {
                started.push(job[1])
                return enqueue(...job)
              },
            }),
          )
        },
      )
    const content = busClient(setup.worker, gitContentCalls, { service: 'content' })
    await sync.makeDue(spaceId)
    const { signal } = new AbortController()
    await Promise.all(
      Array.from({ length: 4 }, () => pollSchedule({ db, transaction, content, gitOrganizationJobs: 16 }).run(signal)),
    )
    expect(await sync.isPolled(spaceId)).toBe(true)
    const { id } = await sync.rowOf(spaceId)
    // None where the schedule of the service itself was the first.
    expect(started.filter(job => job === id).length).toBeLessThanOrEqual(1)
  })

  it('A poll that fails is repeated later and later, says why, and recovers', async () => {
    const spaceId = await sync.synchronised('import', { pollInterval: 60 })
    const error = { code: 'authentication_failed' as const, message: 'The git server refused the credentials' }
    const pauses: number[] = []
    for (let failures = 1; failures <= 3; failures++) {
      await sync.makeDue(spaceId)
      await eventually(async () => expect(await sync.isPolled(spaceId)).toBe(true))
      await (await sync.poll(spaceId)).finish({ error })
      const { dueAt } = await sync.rowOf(spaceId)
      pauses.push((dueAt?.getTime() ?? 0) - Date.now())
      expect(await sync.get(spaceId)).toMatchObject({ state: 'failing', failures, lastError: error })
    }
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
    await sync.set(spaceId, { direction: 'import', credentials: { username: 'u', password: 'new' } })
    const { work, finish } = await sync.poll(spaceId)
    expect(work).toMatchObject({ credentials: { password: 'new' } })
    await finish({ tip: 'c1' })
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized', failures: 0 })
    expect(await sync.get(spaceId)).not.toHaveProperty('lastError')
  })
})

describe('Failed operations', () => {
  it('An operation that fails is repeated with the next change, and with the next set-up', async () => {
    const spaceId = await sync.synchronised('export')
    await edit(spaceId, 'B')
    await sync.fail(spaceId, 'export', 'push_rejected')
    expect(await sync.get(spaceId)).toMatchObject({
      state: 'failing',
      failures: 1,
      lastError: { code: 'push_rejected' },
      nextPollAt: expect.any(String),
    })
    await edit(spaceId, 'C')
    await sync.fail(spaceId, 'export', 'push_rejected')
    expect(await sync.get(spaceId)).toMatchObject({ failures: 2 })
    await sync.set(spaceId, { direction: 'export', credentials: { username: 'u', password: 'new' } })
    expect((await sync.export(spaceId, 'c2')).credentials).toMatchObject({ password: 'new' })
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized', failures: 0, commit: 'c2' })
  })

  it('An operation that fails is repeated by itself after a while, also without polls', async () => {
    const spaceId = await sync.synchronised('export')
    await edit(spaceId, 'B')
    await sync.fail(spaceId, 'export', 'push_rejected')
    await sync.makeDue(spaceId)
    await sync.export(spaceId, 'c2')
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized' })
  })

  it('An operation that fails the first time is repeated as the first one', async () => {
    const spaceId = await setup.content.aSpace()
    await edit(spaceId, 'B')
    await sync.set(spaceId, { direction: 'both' })
    await sync.fail(spaceId, 'import', 'authentication_failed')
    expect(await sync.get(spaceId)).toMatchObject({ state: 'failing', initial: 'import' })
    await sync.makeDue(spaceId)
    await sync.import(spaceId, ['a'], 'c1')
    expect(await pages(spaceId)).toEqual(['a'])
  })
})
