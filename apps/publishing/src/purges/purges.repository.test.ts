import type { DataSource } from '@recto/database'
import { takeJob } from '@recto/jobs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishingDatabase } from '../test/publishing-database.ts'
import { ReaderEntity } from './reader.entity.ts'
import { ReaderPurgeEntity } from './reader-purge.entity.ts'
import * as purges from './purges.repository.ts'

const readers = ['http://one', 'http://two']
let database: DataSource
let stop: () => Promise<void>
beforeAll(async () => void ({ database, stop } = await aPublishingDatabase(8)))
afterAll(() => stop())
beforeEach(() => database.manager.clear(ReaderPurgeEntity))

const db = () => database.manager
const pending = async (reader: string) => (await purges.listPending(db(), reader, 10)).map(({ tag }) => tag)
const purge = async (reader: string, of: readonly string[] = readers) =>
  purges.markPurged(db(), await purges.listPending(db(), reader, 10), { reader, readers: of })

describe('a tag', () => {
  it('stays until all readers have purged it', async () => {
    await purges.requestPurge(db(), ['site:a', 'space:b', 'site:a'])
    await purge('http://one')
    expect([await pending('http://one'), (await pending('http://two')).sort()]).toEqual([[], ['site:a', 'space:b']])
    await purge('http://two')
    expect(await purges.countPending(db())).toBe(0)
  })

  it('that was requested again while a reader purged it is purged again by all', async () => {
    await purges.requestPurge(db(), ['site:a'])
    await purge('http://one')
    const before = await purges.listPending(db(), 'http://two', 10)
    await purges.requestPurge(db(), ['site:a'])
    await purges.markPurged(db(), before, { reader: 'http://two', readers })
    expect([await pending('http://one'), await pending('http://two')]).toEqual([['site:a'], ['site:a']])
  })

  it('that is being requested again is neither waited for nor forgotten', async () => {
    await purges.requestPurge(db(), ['site:a'])
    const before = await purges.listPending(db(), 'http://one', 10)
    await db().transaction(async tx => {
      await purges.requestPurge(tx, ['site:a'])
      await purges.markPurged(db(), before, { reader: 'http://one', readers: ['http://one'] })
    })
    expect(await pending('http://one')).toEqual(['site:a'])
  })

  it('that waits for too long is dropped, with the readers that did not purge it', async () => {
    await purges.requestPurge(db(), ['site:a'])
    await purge('http://one')
    expect(await purges.giveUp(db(), 60_000, readers)).toEqual([])
    expect(await purges.giveUp(db(), -1_000, readers)).toEqual([{ tag: 'site:a', missing: ['http://two'] }])
    expect(await purges.countPending(db())).toBe(0)
  })
})

it('transactions that request the same tags in different orders never wait for each other', async () => {
  const tags = Array.from({ length: 500 }, (_, at) => `site:${at}`)
  const orders = Array.from({ length: 24 }, (_, turn) =>
    tags.map((_tag, at) => tags[(turn * 41 + at * 7 ** (turn % 5)) % 500] ?? ''),
  )
  await Promise.all(orders.map(order => purges.requestPurge(db(), order)))
  expect(await purges.countPending(db())).toBe(500)
})

it('one replica at a time takes a reader for which a tag waits, until its lease ends', async () => {
  const [url] = readers as [string]
  const take = (leaseMs = 60_000) =>
    db().transaction(tx => takeJob(tx, purges.readerJobs(readers, leaseMs), { key: url }))
  await purges.openReaders(db(), readers)
  expect(await take()).toBeUndefined()
  await purges.requestPurge(db(), ['site:a'])
  const taken = await Promise.all(Array.from({ length: 8 }, () => take()))
  expect(taken.filter(Boolean)).toHaveLength(1)
  await db().update(ReaderEntity, { url }, { attempts: 2 })
  await purges.openReaders(db(), readers)
  expect(await take(0)).toMatchObject({ row: { attempts: 0 } })
  expect(await take()).toMatchObject({ row: { url } })
})
