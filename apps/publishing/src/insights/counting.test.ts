import type { Db } from '@recto/database'
import { expect, it } from '@jest/globals'
import { createCounting } from './counting.ts'
import type { Counter } from './counters.rules.ts'

const counter = (pageId: string, count = 1): Counter => ({
  siteId: 's',
  day: '2026-11-22',
  type: 'page_view',
  siteSpaceId: '',
  spaceId: '',
  pageId,
  detail: '',
  count,
})

/** Counting into a list of writes, each of which ends when the test lets it. */
function aCounting() {
  const writes: { counters: Counter[]; end(error?: Error): void }[] = []
  const counting = createCounting(
    (_db, counters) =>
      new Promise((resolve, reject) => {
        writes.push({ counters, end: error => (error ? reject(error) : resolve()) })
      }),
  )
  const add = (...counters: Counter[]) => counting.add({} as Db, counters)
  return { add, writes, turn: () => new Promise(setImmediate) }
}

it('writes what arrives during a write together, and answers each request when its counts are stored', async () => {
  const { add, writes, turn } = aCounting()
  const stored: string[] = []
  const addAs = (name: string, ...counters: Counter[]) =>
    add(...counters).then(
      () => stored.push(name),
      () => stored.push(`no ${name}`),
    )
  const all = [addAs('first', counter('a'))]
  await turn()
  all.push(addAs('second', counter('a'), counter('b')), addAs('third', counter('a', 2)))
  await turn()
  expect(writes.map(({ counters }) => counters)).toEqual([[counter('a')]])
  writes[0]?.end(new Error('the database is away'))
  await turn()
  expect(writes[1]?.counters).toEqual([counter('a', 3), counter('b')])
  expect(stored).toEqual(['no first'])
  writes[1]?.end()
  await Promise.all(all)
  expect(stored).toEqual(['no first', 'second', 'third'])
})

it('refuses counts while too many wait', async () => {
  const { add, writes, turn } = aCounting()
  const first = add(counter('first'))
  await turn()
  const waiting = add(...Array.from({ length: 20_000 }, (_, at) => counter(`page ${at}`)))
  await expect(add(counter('one more'))).rejects.toMatchObject({ code: 'unavailable' })
  writes[0]?.end()
  await turn()
  writes[1]?.end()
  await Promise.all([first, waiting])
})
