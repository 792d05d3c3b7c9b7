import { describe, expect, it } from '@jest/globals'
import { indexPack } from './index-pack.ts'
import { ObjectStore, openPack, type ReadLimits } from './object-store.ts'
import { encodeIndex } from './pack-index.ts'
import { delta, distanceBytes, entry, entryTypes, instruction, objectId, packOf, readerOf } from './test/packs.ts'

const { blob, tree, offsetDelta, refDelta } = entryTypes
const limits = { maxObject: 1_000_000, maxInflated: 1e9, maxObjects: 100, cacheBytes: 1_000_000 }

async function storeOf(packs: readonly Buffer[], change: Partial<ReadLimits> = {}) {
  const stores = packs.map(async pack => {
    const { entries, checksum } = await indexPack(readerOf(pack), limits)
    return openPack(readerOf(pack), encodeIndex(entries, checksum))
  })
  return new ObjectStore(await Promise.all(stores), { ...limits, ...change })
}

const text = Buffer.from('hello world')
const other = Buffer.from('HELLO WORLD')
const idBytes = (data: Buffer) => [...Buffer.from(objectId('blob', data), 'hex')]
const whole = entry(blob, text)
const insert = (data: Buffer) => delta({ base: 11, result: data.length }, instruction.insert([...data]))

describe('objects', () => {
  it('are found in every pack, by id and type', async () => {
    const store = await storeOf([packOf([whole]), packOf([entry(tree, Buffer.alloc(0)), entry(blob, other)])])
    expect(await store.read(objectId('blob', text), 'blob')).toEqual(text)
    expect(await store.readAny(objectId('tree', Buffer.alloc(0)))).toEqual({ type: 'tree', data: Buffer.alloc(0) })
    expect(store.has(objectId('blob', other))).toBe(true)
    expect(store.has('00'.repeat(20))).toBe(false)
    await expect(store.read('00'.repeat(20), 'blob')).rejects.toMatchObject({ code: 'missing_object' })
    await expect(store.read(objectId('blob', text), 'tree')).rejects.toMatchObject({ code: 'invalid' })
  })

  it('are resolved from deltas, and their size is read from the delta header', async () => {
    const changed = Buffer.from('hello there, world')
    const store = await storeOf([packOf([whole, entry(offsetDelta, insert(changed), distanceBytes(whole.length))])])
    expect(await store.read(objectId('blob', changed), 'blob')).toEqual(changed)
    expect(await Promise.all([text, changed].map(data => store.sizeOf(objectId('blob', data))))).toEqual([11, 18])
  })

  it('are read from their start, whole or as deltas', async () => {
    const long = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) % 251))
    const changed = Buffer.concat([text, Buffer.from(' again')])
    const based = entry(offsetDelta, insert(changed), distanceBytes(whole.length))
    const store = await storeOf([packOf([whole, based, entry(blob, long), entry(tree, Buffer.alloc(50))])])
    for (const data of [text, changed, long])
      for (const most of [1, 5, 1_000, 100_000, 1_000_000])
        expect((await store.readStart(objectId('blob', data), most)).equals(data.subarray(0, most))).toBe(true)
    const wrong = store.readStart(objectId('tree', Buffer.alloc(50)), 10)
    await expect(wrong).rejects.toMatchObject({ code: 'invalid' })
    await expect(store.readStart('00'.repeat(20), 10)).rejects.toMatchObject({ code: 'missing_object' })
  })

  it('over the limit are refused, stored whole or as deltas', async () => {
    const long = Buffer.alloc(100, 'a')
    const store = await storeOf(
      [
        packOf([
          whole,
          entry(blob, long),
          entry(
            offsetDelta,
            delta({ base: 100, result: 90 }, instruction.copy(0, 90)),
            distanceBytes(entry(blob, long).length),
          ),
        ]),
      ],
      { maxObject: 50 },
    )
    expect(await store.read(objectId('blob', text), 'blob')).toEqual(text)
    for (const size of [100, 90])
      await expect(store.read(objectId('blob', long.subarray(0, size)), 'blob')).rejects.toMatchObject({
        code: 'too_large',
      })
  })

  it('that are deltas of each other are read from the whole copy', async () => {
    const pack = packOf([
      whole,
      entry(refDelta, insert(other), idBytes(text)),
      entry(refDelta, insert(text), idBytes(other)),
    ])
    const store = await storeOf([pack], { cacheBytes: 1 })
    for (const data of [text, other, text]) expect(await store.read(objectId('blob', data), 'blob')).toEqual(data)
  })

  it('that are damaged under an intact index are refused', async () => {
    const pack = packOf([whole])
    const { entries, checksum } = await indexPack(readerOf(pack), limits)
    const damaged = Buffer.concat([pack.subarray(0, 20), Buffer.alloc(pack.length - 40), pack.subarray(-20)])
    const store = new ObjectStore([await openPack(readerOf(damaged), encodeIndex(entries, checksum))], limits)
    await expect(store.read(objectId('blob', text), 'blob')).rejects.toMatchObject({ code: 'invalid' })
    await expect(store.readStart(objectId('blob', text), 5)).rejects.toMatchObject({ code: 'invalid' })
  })
})
