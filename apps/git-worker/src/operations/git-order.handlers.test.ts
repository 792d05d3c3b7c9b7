import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aWorker } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const worker = aWorker(() => setup)

it('A standalone import is neither older nor newer than others', async () => {
  const spaceId = await setup.content.aSpace()
  const main = await worker.import(spaceId, ['a'], { timestamp: '2026-02-01T00:00:00Z' })
  for (const timestamp of ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']) {
    await worker.import(spaceId, [timestamp], { timestamp, standalone: true, oid: timestamp })
    expect(setup.content.space(spaceId).revision).toBe(main)
  }
  const newer = { timestamp: '2026-02-02T00:00:00Z', oid: 'c2' }
  expect(await worker.import(spaceId, ['a'], newer)).not.toBe(main)
  const { items } = await setup.as('read').listGitOperations({ params: { spaceId }, query: {} })
  expect(items.map(({ state }) => state)).toEqual(['success', 'success', 'success', 'success'])
})

it('Exports are in the order of timestamps with imports', async () => {
  const spaceId = await setup.content.aSpace()
  await worker.import(spaceId, ['a'], { timestamp: '2026-02-01T00:00:00Z' })
  const old = await worker.requestExport(spaceId, { timestamp: '2026-01-01T00:00:00Z' })
  expect(await worker.see(spaceId, old)).toMatchObject({ direction: 'export', state: 'skipped' })
  const equal = await worker.requestExport(spaceId, { timestamp: '2026-02-01T00:00:00Z' })
  expect(await worker.see(spaceId, equal)).toMatchObject({ state: 'queued' })
})
