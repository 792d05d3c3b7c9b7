import fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import { build, canonicalJson, diff, emptyRoot, entries, get, getMany, update } from './content-map.ts'
import { MemoryStore } from './test/memory-store.ts'
import { hashKey, slotAt } from './tree-node.ts'

type Row = { title: string }
type Changes = Map<string, Row | undefined>

const row = (title: string): Row => ({ title })
const manyRows = (count: number) =>
  Array.from({ length: count }, (_, at): [string, Row] => [`page-${at}`, row(`Page ${at}`)])

/** Ids with a common prefix of their key hashes: they are in deep leaves, which split and merge as ids are added and deleted. */
const crowd = (() => {
  const isDeep = (id: string) => [0, 1].every(depth => slotAt(hashKey(id), depth) === 0)
  return Array.from({ length: 25_000 }, (_, at) => `p${at}`).filter(isDeep)
})()
const id = fc.oneof(
  fc.constantFrom(...crowd),
  fc.integer({ min: 0, max: 30 }).map(at => `p${at}`),
)
const record = fc.integer({ min: 0, max: 3 }).map(at => row(`t${at}`))
const change = fc.tuple(
  id,
  fc.oneof({ weight: 3, arbitrary: record }, { weight: 2, arbitrary: fc.constant(undefined) }),
)
const changes: fc.Arbitrary<Changes> = fc.array(change, { maxLength: 30, size: 'max' }).map(all => new Map(all))
const content = fc.uniqueArray(fc.tuple(id, record), { selector: ([key]) => key, maxLength: 60, size: 'max' })

function applyAll(before: Iterable<[string, Row]>, batches: Changes[]): Map<string, Row> {
  const all = new Map(before)
  for (const [key, value] of batches.flatMap(batch => [...batch])) {
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  }
  return all
}

const sortPairs = <T>(pairs: Iterable<[string, T]>) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))

describe('a map', () => {
  test('A map has one root per content, independent of the edits that led to it', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(changes, { maxLength: 6 }), async (start, batches) => {
        const store = new MemoryStore()
        let root = store.add(build(start))
        for (const batch of batches) root = store.add(await update(store, root, batch))
        const final = applyAll(start, batches)
        expect(root).toBe(build(final).root)
        expect(sortPairs(await entries<Row>(store, root))).toEqual(sortPairs(final))
      }),
      { numRuns: 300 },
    )
  })

  test('A map has one root per content, independent of the insertion order', () => {
    const contentPairs = content.chain(all =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(fc.property(contentPairs, ([one, other]) => void expect(build(one).root).toBe(build(other).root)))
  })

  test('A map returns to its previous root when added records are deleted', async () => {
    const store = new MemoryStore()
    const small = store.add(build(manyRows(3)))
    const large = store.add(await update(store, small, new Map(manyRows(500))))
    const gone = new Map(
      manyRows(500)
        .slice(3)
        .map(([key]) => [key, undefined]),
    )
    expect(large).not.toBe(small)
    expect((await update(store, large, gone)).root).toBe(small)
    expect((await update(store, small, new Map(manyRows(3).map(([key]) => [key, undefined])))).root).toBe(emptyRoot)
  })

  test('A map writes only new nodes, all reachable from the root', async () => {
    await fc.assert(
      fc.asyncProperty(content, changes, async (start, batch) => {
        const store = new MemoryStore()
        const before = store.add(build(start))
        const old = store.below(before)
        const built = await update(store, before, batch)
        const root = store.add(built)
        const now = store.below(root)
        for (const hash of built.nodes.keys())
          expect([now.has(hash), old.has(hash) && hash !== emptyRoot]).toEqual([true, false])
      }),
    )
  })

  test('A map does not change on an empty update', async () => {
    const store = new MemoryStore()
    const root = store.add(build(manyRows(300)))
    expect(
      await update(
        store,
        root,
        new Map([
          ['page-7', row('Page 7')],
          ['absent', undefined],
        ]),
      ),
    ).toEqual({ root, nodes: new Map() })
    expect(await update(store, root, new Map())).toEqual({ root, nodes: new Map() })
  })

  test('A map returns the records in it', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(id, { maxLength: 20 }), async (start, ids) => {
        const store = new MemoryStore()
        const root = store.add(build(start))
        const all = new Map(start)
        const expected = [...new Set(ids)].flatMap((key): [string, Row][] =>
          all.has(key) ? [[key, all.get(key) as Row]] : [],
        )
        expect([...(await getMany<Row>(store, root, ids))]).toEqual(expected)
        for (const key of ids) expect(await get<Row>(store, root, key)).toEqual(all.get(key))
      }),
    )
  })

  test('An empty map needs no store', async () => {
    const store = new MemoryStore()
    expect(build([]).root).toBe(emptyRoot)
    expect(await get(store, emptyRoot, 'x')).toBeUndefined()
    expect(await entries(store, emptyRoot)).toEqual([])
    expect((await update(store, emptyRoot, new Map([['a', row('A')]]))).root).toBe(build([['a', row('A')]]).root)
    expect(store.loads).toBe(0)
  })

  test('A map treats an undefined record as absent, and the last record of an id wins', () => {
    expect(build([['a', undefined]]).root).toBe(emptyRoot)
    expect(
      build([
        ['a', row('1')],
        ['a', row('2')],
      ]).root,
    ).toBe(build([['a', row('2')]]).root)
  })

  test('A map with a missing node names it in the error', async () => {
    await expect(entries(new MemoryStore(), build(manyRows(3)).root)).rejects.toThrow(build(manyRows(3)).root)
  })
})

describe('the difference of two maps', () => {
  test('The difference of two maps contains exactly the changed records', async () => {
    await fc.assert(
      fc.asyncProperty(content, changes, async (start, batch) => {
        const store = new MemoryStore()
        const before = store.add(build(start))
        const after = store.add(await update(store, before, batch))
        const left = new Map(start)
        const right = applyAll(start, [batch])
        const expected = [...new Set([...left.keys(), ...right.keys()])].sort().flatMap(key => {
          const a = left.get(key)
          const b = right.get(key)
          return a?.title === b?.title ? [] : [{ id: key, ...(a && { before: a }), ...(b && { after: b }) }]
        })
        const differences = await diff<Row>(store, before, after)
        expect(differences.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('The difference of two maps reads nothing of equal maps and little of nearly equal ones', async () => {
    const store = new MemoryStore()
    const before = store.add(build(manyRows(10_000)))
    const after = store.add(await update(store, before, new Map([['page-5', row('New')]])))
    store.reset()
    expect(await diff(store, before, before)).toEqual([])
    expect(store.loads).toBe(0)
    expect(await diff(store, before, after)).toEqual([{ id: 'page-5', before: row('Page 5'), after: row('New') }])
    expect(store.loaded).toBeLessThanOrEqual(2 * 4)
  })
})

describe('the cost', () => {
  const levels = 4
  test.each([100, 10_000])('The cost of one edit among %i pages depends on the depth only', async count => {
    const store = new MemoryStore()
    const root = store.add(build(manyRows(count)))
    store.reset()
    const { nodes } = await update(store, root, new Map([['page-5', row('New')]]))
    expect(nodes.size).toBeLessThanOrEqual(levels)
    expect(store.loaded).toBeLessThanOrEqual(levels)
  })

  test('The cost of reading or changing everything is one load per level', async () => {
    const store = new MemoryStore()
    const root = store.add(build(manyRows(10_000)))
    const loads = async (work: () => Promise<unknown>) => {
      store.reset()
      await work()
      return store.loads
    }
    const ids = manyRows(10_000).map(([key]) => key)
    expect(await loads(() => entries(store, root))).toBeLessThanOrEqual(levels)
    expect(await loads(() => getMany(store, root, ids))).toBeLessThanOrEqual(levels)
    expect(await loads(() => update(store, root, new Map(ids.map(key => [key, row('x')]))))).toBeLessThanOrEqual(levels)
    expect(
      await loads(() => update(store, root, new Map(ids.slice(1).map(key => [key, undefined])))),
    ).toBeLessThanOrEqual(levels)
    expect(await loads(() => diff(store, root, emptyRoot))).toBeLessThanOrEqual(levels)
  })
})

describe('canonical JSON', () => {
  const cases: [unknown, string][] = [
    [{ b: 1, a: [{ d: 1, c: undefined }] }, '{"a":[{"d":1}],"b":1}'],
    [{ é: 1, z: 1, Z: 1 }, '{"Z":1,"z":1,"é":1}'],
    [{ a: null, b: undefined, c: false, d: '' }, '{"a":null,"c":false,"d":""}'],
    [[undefined, 1], '[null,1]'],
    ['\ud800"', '"\\ud800\\""'],
    [JSON.parse('{"__proto__":{"b":1,"a":2}}'), '{"__proto__":{"a":2,"b":1}}'],
  ]
  test.each(cases)('Canonical JSON of %j is %s', (value, text) => expect(canonicalJson(value)).toBe(text))

  test('Canonical JSON is the same for equal values with keys in any order', () => {
    const shuffledKeys = fc
      .dictionary(fc.string(), fc.jsonValue())
      .chain(value =>
        fc.tuple(
          fc.constant(value),
          fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }),
        ),
      )
    fc.assert(
      fc.property(
        shuffledKeys,
        ([value, parts]) => void expect(canonicalJson(Object.fromEntries(parts))).toBe(canonicalJson(value)),
      ),
    )
  })
})
