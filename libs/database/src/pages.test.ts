import type { Secrets } from '@recto/operation'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  type ListPage,
  type ListSource,
  byKey,
  listPage,
  pageInMemory,
  query,
  readCursor,
  signCursor,
} from './index.ts'
import { aThingsDatabase, type Things } from './test/things.ts'

interface Row {
  id: string
  madeAt: Date
}
const cursorKey: Secrets = ['a-key-of-the-tests']
const newest: ListSource = {
  sql: `select id, made_at as "madeAt" from thing where size >= $1`,
  values: [0],
  order: [
    { column: 'madeAt', type: 'timestamptz' },
    { column: 'id', type: 'text' },
  ],
  direction: 'desc',
}
const oldest: ListSource = { ...newest, direction: 'asc' }

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
beforeEach(() => query(things.database.manager, 'truncate thing'))
afterAll(() => things.stop())

const page = (source: ListSource, limit: number, cursor?: string) =>
  listPage<Row>(things.database.manager, source, { limit, page: cursor, cursorKey })
const ids = (listed: ListPage<Row>) => listed.items.map(item => item.id)

/** Rows created one microsecond apart, oldest first; all at the same time with `apart` 0. */
async function make(count: number, { apart = 1, prefix = 't' } = {}): Promise<string[]> {
  const sql = `insert into thing (id, made_at) select $2 || lpad(n::text, 4, '0'), '2026-01-01T00:00:00.000001Z'::timestamptz + make_interval(secs => n * $3 / 1000000.0)
    from generate_series(1, $1) as n returning id`
  return (await query<{ id: string }>(things.database.manager, sql, [count, prefix, apart])).map(row => row.id)
}

async function walk(
  source: ListSource,
  limit: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const listed = await page(source, limit, cursor)
    seen.push(...ids(listed))
    cursor = listed.next?.page
    await between()
  } while (cursor !== undefined)
  return seen
}

describe.each([
  ['newest first', newest],
  ['oldest first', oldest],
])('a list, %s,', (_name, source) => {
  const inOrder = (made: string[]) => (source === newest ? made.toReversed() : made)

  it.each([[1], [3], [10], [11], [1_000]])('is returned completely in pages of %i', async limit => {
    expect(await walk(source, limit)).toEqual([])
    const made = await make(11)
    expect(await walk(source, limit)).toEqual(inOrder(made))
  })

  it('is returned completely when all rows have the same creation time', async () => {
    const made = await make(25, { apart: 0 })
    expect(await walk(source, 4)).toEqual(inOrder(made))
  })

  it('shows rows that exist throughout exactly once, despite concurrent inserts and deletes', async () => {
    const made = await make(30)
    let turn = 0
    const seen = await walk(source, 4, async () => {
      turn += 1
      await make(1, { prefix: `new-${turn}-` })
      await query(
        things.database.manager,
        `insert into thing (id, made_at) values ($1, '2027-01-01'), ($2, '2025-01-01')`,
        [`after-${turn}`, `before-${turn}`],
      )
      await query(things.database.manager, `delete from thing where id in ($1, $2)`, [
        `after-${turn - 1}`,
        `before-${turn - 1}`,
      ])
      if (turn === 1) await query(things.database.manager, 'delete from thing where id = any($1)', [['t0004', 't0027']])
    })
    expect(new Set(seen).size).toBe(seen.length)
    // The one of the two that had been shown stays shown.
    const firstId = source === newest ? 't0027' : 't0004'
    expect(seen.filter(id => id.startsWith('t'))).toEqual(
      inOrder(made.filter(id => id === firstId || (id !== 't0004' && id !== 't0027'))),
    )
  })
})

it('takes the count of a list that counts itself, also behind its end', async () => {
  await make(3)
  const counted = `select id, made_at as "madeAt", 42 as "listCount" from thing where size >= $1`
  const source = { ...newest, sql: counted, counted: newest.sql, countsItself: true }
  const first = await page(source, 3)
  expect([first.count, first.items.map(item => Object.keys(item))]).toEqual([42, Array(3).fill(['id', 'madeAt'])])
  const cursor = (await page(source, 1)).next?.page
  await query(things.database.manager, `delete from thing where id < 't0003'`)
  expect(await page(source, 3, cursor)).toEqual({ items: [], count: 1 })
})

describe('a page', () => {
  it('contains the total count, and no cursor on the last page', async () => {
    await make(5)
    expect(await page(newest, 5)).toEqual({
      items: expect.arrayContaining([{ id: 't0001', madeAt: expect.any(Date) }]),
      count: 5,
    })
    const first = await page(newest, 4)
    expect([first.count, first.items.length]).toEqual([5, 4])
    expect(await page(newest, 4, first.next?.page)).toEqual({
      items: [{ id: 't0001', madeAt: expect.any(Date) }],
      count: 5,
    })
  })

  it('of an empty list contains only the count', async () => {
    await make(5)
    expect(await page(newest, 0)).toEqual({ items: [], count: 5 })
  })

  it('is read in a transaction and sees its writes', async () => {
    await things.database
      .transaction(async db => {
        await query(db, `insert into thing (id) values ('mine')`)
        expect(await listPage<Row>(db, newest, { limit: 10, cursorKey })).toMatchObject({
          items: [{ id: 'mine' }],
          count: 1,
        })
        throw new Error('back')
      })
      .catch((error: Error) => expect(error.message).toBe('back'))
  })

  it('of a thousand rows takes as many queries as one of ten', async () => {
    await make(1_000)
    const queries: string[] = []
    const counting = {
      logQuery: (sql: string) => void queries.push(sql),
      logQueryError: () => undefined,
      logQuerySlow: () => undefined,
    }
    const { logger } = things.database
    Object.assign(things.database, { logger: { ...counting } })
    await page(newest, 10)
    const few = queries.length
    const listed = await page(newest, 1_000)
    Object.assign(things.database, { logger })
    expect([few, queries.length - few, listed.items.length]).toEqual([2, 2, 1_000])
  })
})

describe('a cursor', () => {
  it('is refused for another list and after tampering', async () => {
    await make(3)
    const cursor = (await page(newest, 1)).next?.page ?? ''
    const [payload = '', signature = ''] = cursor.split('.')
    const other = Buffer.from(JSON.stringify(['2020-01-01', 'a'])).toString('base64url')
    expect(ids(await page(newest, 1, cursor))).toEqual(['t0002'])
    for (const wrong of [
      '',
      '.',
      'x',
      payload,
      `${payload}.`,
      `${other}.${signature}`,
      `${payload}.${signature}x`,
      `${payload}.${signature}.x`,
      `${payload}.${signature.toLowerCase()}`,
      'ü.ü',
      cursor.repeat(2),
    ]) {
      const refused = await page(newest, 1, wrong).catch((error: unknown) => error)
      expect({ wrong, refused }).toMatchObject({
        wrong,
        refused: { code: 'invalid_request', details: [{ path: 'query.page' }] },
      })
    }
    expect(() => readCursor(cursor, ['another key'])).toThrow('is not a cursor of this list')
  })

  it('contains the signed values', () => {
    const cursor = signCursor(['ä', 1, null], cursorKey)
    expect(readCursor(cursor, cursorKey)).toEqual(['ä', 1, null])
    expect(readCursor(cursor, ['the next key', ...cursorKey])).toEqual(['ä', 1, null])
  })
})

describe('a page of items in memory', () => {
  interface Item {
    name: string
    id: string
  }
  const keyOf = ({ name, id }: Item) => [name, id]
  const sorted = (items: Item[]) => items.toSorted(byKey(keyOf))
  const rowsOf = (...names: string[]) => sorted(names.map((name, at) => ({ name, id: `i${at}` })))
  const read = (items: Item[], limit: number, page?: string) => pageInMemory(items, keyOf, { page, limit, cursorKey })

  it('continues after the key of the last item, also among equal names', () => {
    const items = rowsOf('b', 'a', 'b', 'c', 'b')
    const pages: string[][] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: ReturnType<typeof read> = read(items, 2, next || undefined)
      pages.push(page.items.map(({ name, id }) => `${name} ${id}`))
      expect(page.count).toBe(5)
      next = page.next?.page
    }
    expect(pages).toEqual([['a i1', 'b i0'], ['b i2', 'b i4'], ['c i3']])
  })

  it('continues at the same position when items are added and removed', () => {
    const first = read(rowsOf('a', 'b', 'c', 'd'), 2)
    expect(read(rowsOf('0', 'b2', 'c'), 2, first.next?.page).items.map(({ name }) => name)).toEqual(['b2', 'c'])
  })

  it('is the last when nothing follows, and refuses the cursor of another list', () => {
    expect(read(rowsOf('a', 'b'), 2).next).toBeUndefined()
    expect(read([], 2)).toEqual({ items: [], count: 0 })
    expect(() => read([], 2, signCursor(['a'], ['another key']))).toThrow('is not a cursor of this list')
  })
})
