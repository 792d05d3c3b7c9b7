import type { DataSource } from '@recto/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishingDatabase } from '../test/publishing-database.ts'
import { EdgePurgeEntity } from './edge-purge.entity.ts'
import { EdgeEntity } from './edge.entity.ts'
import * as purges from './edge-purges.repository.ts'
import { requestPurge } from './purges.repository.ts'

const edges = ['fastly:one', 'varnish:http://two']
let database: DataSource
let stop: () => Promise<void>
beforeAll(async () => void ({ database, stop } = await aPublishingDatabase(8)))
afterAll(() => stop())
beforeEach(async () => {
  await database.manager.clear(EdgePurgeEntity)
  await purges.openEdges(db(), edges)
})

const db = () => database.manager
const due = async (edge: string) => (await purges.listDue(db(), edge, 10)).map(({ tag }) => tag)
const take = async (edge: string, pauses: number[]) =>
  purges.markTaken(db(), await purges.listDue(db(), edge, 10), { edge, pauses })
const rows = () => db().find(EdgePurgeEntity, { order: { edge: 'asc', tag: 'asc' } })
/** Makes all that waits some seconds older. */
const wait = (seconds: number) =>
  db().query(
    `update edge_purges set due_at = due_at - make_interval(secs => $1), waits_since = waits_since - make_interval(secs => $1)`,
    [seconds],
  )

describe('a tag', () => {
  it('is due at each edge until that one took it', async () => {
    await purges.requestEdgePurge(db(), ['site:a', 'space:b', 'site:a'])
    await take('fastly:one', [])
    expect([await due('fastly:one'), (await due('varnish:http://two')).toSorted()]).toEqual([[], ['site:a', 'space:b']])
    await take('varnish:http://two', [])
    expect(await rows()).toEqual([])
  })

  it('is due again after each pause, and over after the last one', async () => {
    await purges.requestEdgePurge(db(), ['site:a'])
    for (const round of [1, 2]) {
      await take('fastly:one', [5_000, 60_000])
      expect([await due('fastly:one'), (await rows())[0]?.round]).toEqual([[], round])
      await wait(round === 1 ? 6 : 61)
      expect(await due('fastly:one')).toEqual(['site:a'])
    }
    await take('fastly:one', [5_000, 60_000])
    expect((await rows()).map(({ edge }) => edge)).toEqual(['varnish:http://two'])
  })

  it('that was requested again while an edge took it is due, and begins its rounds anew', async () => {
    await purges.requestEdgePurge(db(), ['site:a'])
    const before = await purges.listDue(db(), 'fastly:one', 10)
    await purges.requestEdgePurge(db(), ['site:a'])
    await purges.markTaken(db(), before, { edge: 'fastly:one', pauses: [60_000] })
    expect(await due('fastly:one')).toEqual(['site:a'])
    await take('fastly:one', [60_000])
    await purges.requestEdgePurge(db(), ['site:a'])
    expect([await due('fastly:one'), (await rows())[0]?.round]).toEqual([['site:a'], 0])
  })

  it('that is being requested again is neither waited for nor forgotten', async () => {
    await purges.requestEdgePurge(db(), ['site:a'])
    const before = await purges.listDue(db(), 'fastly:one', 10)
    await db().transaction(async tx => {
      await purges.requestEdgePurge(tx, ['site:a'])
      await purges.markTaken(db(), before, { edge: 'fastly:one', pauses: [] })
    })
    expect(await due('fastly:one')).toEqual(['site:a'])
  })

  it('of a specification is that of its organization', async () => {
    await requestPurge(db(), ['organization:o:openapi:toys'])
    expect(await due('fastly:one')).toEqual(['organization:o'])
  })
})

it('the oldest tag that waits has its age, however often it is requested, and none waits after it was taken', async () => {
  await purges.requestEdgePurge(db(), ['site:a'])
  await wait(100)
  await purges.requestEdgePurge(db(), ['site:a'])
  const state = await purges.dueState(db())
  expect([state.depth, state.oldest > 99 && state.oldest < 200]).toEqual([2, true])
  for (const edge of edges) await take(edge, [60_000])
  expect(await purges.dueState(db())).toEqual({ depth: 0, oldest: 0 })
})

it('an edge that is in no setting any more is forgotten with what it had to drop', async () => {
  await purges.requestEdgePurge(db(), ['site:a'])
  await purges.openEdges(db(), ['fastly:one'])
  expect([await db().find(EdgeEntity), (await rows()).map(({ edge }) => edge)]).toEqual([
    [expect.objectContaining({ id: 'fastly:one' })],
    ['fastly:one'],
  ])
})

it('without edges nothing waits', async () => {
  await purges.openEdges(db(), [])
  await requestPurge(db(), ['site:a'])
  expect(await rows()).toEqual([])
})
