import { query } from '@recto/database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findDue, takeJob } from './index.ts'
import { aChoresDatabase, aChoreWorker, choreJobs, longLeasedChores, type Chores } from './test/chores.ts'

let chores: Chores
beforeAll(async () => (chores = await aChoresDatabase()))
afterAll(() => chores.stop())

const runs = { numRuns: 15 }

/** The fate of a job before it goes through: processes that end while they work on it, and attempts that fail. */
const fates = fc.record({ deaths: fc.integer({ min: 0, max: 1 }), failures: fc.integer({ min: 0, max: 1 }) })

it('no job runs twice at once, and none is lost, whatever fails and whichever process ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fates, { minLength: 1, maxLength: 6 }), async plans => {
      const db = chores.database.manager
      await query(db, 'truncate chores')
      const keys = await chores.add('one', ...plans.map((_plan, at) => String(at)))
      for (const [at, { deaths }] of plans.entries())
        if (deaths > 0) await chores.database.transaction(tx => takeJob(tx, longLeasedChores, { key: String(at) }))
      await query(db, `update chores set heartbeat_at = now() - interval '1 hour' where state = 'running'`)
      const failures = new Map(plans.map((plan, at) => [String(at), plan.failures]))
      const atWork = new Set<string>()
      const overlaps: string[] = []
      const workers = [1, 2, 3].map(() =>
        aChoreWorker(chores, {
          table: longLeasedChores,
          async attempt({ id }, job) {
            if (atWork.has(id)) overlaps.push(id)
            atWork.add(id)
            await query(db, 'select 1')
            const left = failures.get(id) ?? 0
            failures.set(id, left - 1)
            if (left <= 0) await job.finish(db, { state: 'success' })
            atWork.delete(id)
            if (left > 0) throw new Error('failed')
          },
        }),
      )
      const isOpen = async () => (await chores.rows()).some(({ state }) => state === 'queued' || state === 'running')
      while (await isOpen()) await Promise.all(keys.flatMap(key => workers.map(worker => worker.run(key))))
      await Promise.all(workers.map(worker => worker.stop()))
      expect(overlaps).toEqual([])
      const states = (await chores.rows()).map(({ state }) => state)
      expect(states).toEqual(plans.map(() => 'success'))
      const attempts = (await chores.rows()).map(row => row.attempts)
      expect(attempts).toEqual(plans.map(({ deaths, failures: failed }) => deaths + failed + 1))
    }),
    runs,
  )
})

it('groups take turns: of what is taken one after another, no group with jobs left is more than one behind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }), async sizes => {
      await query(chores.database.manager, 'truncate chores')
      for (const [house, size] of sizes.entries())
        await chores.add(`house ${house}`, ...Array.from({ length: size }, (_, at) => `${house}-${at}`))
      const counts = sizes.map(() => 0)
      for (let left = sizes.reduce((sum, size) => sum + size, 0); left > 0; left -= 1) {
        const [next] = await findDue(chores.database.manager, choreJobs, { limit: 1 })
        const key = next?.key ?? ''
        const house = Number(key.split('-')[0])
        expect(key).toBe(`${house}-${counts[house]}`)
        await chores.database.transaction(tx => takeJob(tx, choreJobs, { key }))
        counts[house] = (counts[house] ?? 0) + 1
        const most = Math.max(...counts)
        for (const [at, count] of counts.entries()) expect(count >= Math.min(most - 1, sizes[at] ?? 0)).toBe(true)
      }
    }),
    runs,
  )
})
