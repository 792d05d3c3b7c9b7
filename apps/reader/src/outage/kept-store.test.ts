import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openKeptStore, type KeptStore } from './kept-store.ts'

let folder: string
let faults: unknown[]
const askedAt: Record<string, number> = {}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-kept-'))
  faults = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (maxBytes = 10_000_000): Promise<KeptStore> =>
  openKeptStore({ folder, maxBytes, askedAt: id => askedAt[id] ?? 0, onFault: error => void faults.push(error) })

const site = (id: string) => ({ id, organization: 'o', roots: [`https://${id}.docs.example/`], askedAt: 1 })
const place = (key: string, of = 'one') => ({ site: of, key, kind: 'part' as const })
const filesOf = async (id = 'one') => (await readdir(join(folder, id))).filter(name => name !== 'site.json')
const bytesOf = (text: string) => Readable.from([Buffer.from(text)])

async function aStore(): Promise<KeptStore> {
  const store = await open()
  await store.saveSite(site('one'))
  return store
}

describe('a reply', () => {
  it('is there again, also for the next process', async () => {
    const store = await aStore()
    await store.writeText(place('a'), '1', 'größer')
    const next = await open()
    expect([await store.readText(place('a')), await next.readText(place('a')), next.sites]).toEqual([
      'größer',
      'größer',
      [site('one')],
    ])
    expect(next.state()).toEqual(store.state())
  })

  it('is of the version that it was read at', async () => {
    const store = await aStore()
    await store.writeText(place('a'), '1', 'text')
    const next = await open()
    for (const each of [store, next])
      expect([await each.readText(place('a'), '1'), await each.readText(place('a'), '2')]).toEqual(['text', undefined])
  })

  it('is one of two that were written at once, and never a part of both', async () => {
    const store = await aStore()
    const texts = Array.from({ length: 40 }, (_, at) => `${at}`.repeat(50_000))
    await Promise.all(texts.map(text => store.writeText(place('a'), '1', text)))
    expect(texts).toContain(await store.readText(place('a')))
    expect((await filesOf()).length).toBe(1)
    expect(store.state().bytes).toBe((await open()).state().bytes)
  })

  it('of a site that nobody keeps is not kept', async () => {
    const store = await open()
    expect([await store.writeText(place('a'), '1', 'text'), await store.readText(place('a'))]).toEqual([
      false,
      undefined,
    ])
  })

  it('goes with its site at once, and what was being written goes, too', async () => {
    const store = await aStore()
    const writes = Array.from({ length: 20 }, (_, at) => store.writeText(place(`${at}`), '1', 'x'.repeat(100_000)))
    await store.removeSite('one')
    await Promise.all(writes)
    expect([await store.readText(place('1')), store.state().bytes]).toEqual([undefined, 0])
    expect(await readdir(folder)).toEqual([])
  })

  it('that a walk did not use goes, if it is older; a redirect stays', async () => {
    const store = await aStore()
    const redirect = { ...place('old'), kind: 'redirect' as const }
    for (const each of [place('a'), place('b'), redirect]) await store.writeText(each, '1', 'text')
    await store.prune('one', new Set(['a']), Date.now() + 1)
    expect(await Promise.all([place('a'), place('b'), redirect].map(each => store.readText(each)))).toEqual([
      'text',
      undefined,
      'text',
    ])
    await store.prune('one', new Set(), 0)
    expect(await store.readText(place('a'))).toBe('text')
  })
})

describe.each<[string, (path: string) => Promise<void>]>([
  ['cut off', path => truncate(path, 20)],
  ['empty', path => writeFile(path, '')],
  ['of something else', path => writeFile(path, 'x'.repeat(100))],
  [
    'changed in one byte',
    async path => {
      const bytes = await readFile(path)
      bytes[3] = (bytes[3] ?? 0) ^ 1
      await writeFile(path, bytes)
    },
  ],
  [
    'that claims to be longer',
    async path => {
      const bytes = await readFile(path)
      bytes.writeUInt32BE(0xffff_ffff, bytes.length - 8)
      await writeFile(path, bytes)
    },
  ],
  ['that is gone', path => rm(path)],
])('a file %s', (_how, damage) => {
  it('is no reply, and is written again', async () => {
    const store = await aStore()
    await store.writeText(place('a'), '1', 'some text that is long enough')
    const [name = ''] = await filesOf()
    await damage(join(folder, 'one', name))
    expect([await store.readText(place('a')), faults.length]).toEqual([undefined, 1])
    await store.writeText(place('a'), '1', 'some text that is long enough')
    expect(await store.readText(place('a'))).toBe('some text that is long enough')
  })

  it('is no file for the next process', async () => {
    const store = await aStore()
    const filePlace = { ...place('f'), kind: 'file' as const }
    await store.writeFile(filePlace, { headers: { etag: '"a"' }, bytes: bytesOf('some bytes of a file'), size: 20 })
    const next = await open()
    const [name = ''] = await filesOf()
    await damage(join(folder, 'one', name))
    expect(await next.readFile(filePlace)).toBeUndefined()
  })
})

it('A reply under the name of another one is neither', async () => {
  const store = await aStore()
  await store.writeText(place('a'), '1', 'text of a')
  const [first = ''] = await filesOf()
  const content = await readFile(join(folder, 'one', first))
  await store.writeText(place('b'), '1', 'text of b')
  const second = (await filesOf()).find(name => name !== first) ?? ''
  await writeFile(join(folder, 'one', second), content)
  expect([await store.readText(place('a')), await store.readText(place('b'))]).toEqual(['text of a', undefined])
})

it('What a killed process left half is removed, and what is not ours is left alone', async () => {
  const store = await aStore()
  await store.writeText(place('a'), '1', 'text')
  await writeFile(join(folder, 'one', 'half.tmp'), 'tex')
  await writeFile(join(folder, 'one', 'notes.txt'), 'mine')
  await mkdir(join(folder, 'photos'))
  await mkdir(join(folder, '.gone-two-1'))
  await mkdir(join(folder, 'three'))
  await writeFile(join(folder, 'three', 'site.json'), '{"id":"four"')
  const next = await open()
  expect([next.sites.length, await next.readText(place('a'))]).toEqual([1, 'text'])
  expect((await readdir(folder)).sort()).toEqual(['one', 'photos'])
  expect((await filesOf()).filter(name => name.includes('.'))).toEqual(['notes.txt'])
})

it('A file is read in parts, with its headers', async () => {
  const store = await aStore()
  const filePlace = { ...place('f'), kind: 'file' as const }
  await store.writeFile(filePlace, { headers: { etag: '"a"' }, bytes: bytesOf('0123456789'), size: 10 })
  for (const each of [store, await open()]) {
    const file = await each.readFile(filePlace)
    expect([file?.size, file?.headers]).toEqual([10, { etag: '"a"' }])
    expect(file && (await new Response(file.open({ start: 2, end: 4 })).text())).toBe('234')
  }
})

it('A file that breaks off is not kept', async () => {
  const store = await aStore()
  const filePlace = { ...place('f'), kind: 'file' as const }
  const bytes = Readable.from(
    (function* broken() {
      yield Buffer.from('01234')
      throw new Error('the connection broke')
    })(),
  )
  expect([await store.writeFile(filePlace, { headers: {}, bytes, size: 10 }), await store.readFile(filePlace)]).toEqual(
    [false, undefined],
  )
  expect(await filesOf()).toEqual([])
})

describe('the bound', () => {
  const text = 'x'.repeat(8_000)
  const write = (store: KeptStore, id: string, key: string) => store.writeText(place(key, id), '1', text)

  it('is kept by removing the sites that were opened longest ago', async () => {
    Object.assign(askedAt, { one: 1, two: 2, three: 3 })
    const store = await open(40_000)
    for (const id of ['two', 'one', 'three']) await store.saveSite(site(id))
    for (const key of ['a', 'b']) for (const id of ['two', 'one']) await write(store, id, key)
    expect([await write(store, 'three', 'a'), store.siteIds().sort()]).toEqual([true, ['three', 'two']])
    expect(store.state().bytes).toBeLessThanOrEqual(40_000)
  })

  it('is not kept at the cost of a site that was opened later', async () => {
    Object.assign(askedAt, { one: 1, two: 2 })
    const store = await open(40_000)
    for (const id of ['one', 'two']) await store.saveSite(site(id))
    for (const key of ['a', 'b', 'c', 'd']) await write(store, 'two', key)
    expect([await write(store, 'one', 'a'), store.siteIds().sort()]).toEqual([false, ['one', 'two']])
  })

  it('leaves out a reply that is larger than a part of it', async () => {
    const store = await open(40_000)
    await store.saveSite(site('one'))
    expect(await store.writeText(place('a'), '1', 'x'.repeat(20_000))).toBe(false)
  })

  it('is none for what replaces the same reply', async () => {
    const store = await open(40_000)
    await store.saveSite(site('one'))
    for (let at = 0; at < 20; at += 1) expect(await store.writeText(place('a'), '1', `${text}${at}`)).toBe(true)
  })
})

it('Of redirects a site has so many, whatever visitors ask for', async () => {
  const store = await aStore()
  const write = (at: number) => store.writeText({ ...place(`${at}`), kind: 'redirect' }, '1', 'text')
  const results: boolean[] = []
  for (let at = 0; at < 1_001; at += 1) results.push(await write(at))
  expect([results.slice(0, 1_000).every(Boolean), results[1_000], await write(5)]).toEqual([true, false, true])
})

it('A folder that cannot be written keeps nothing, and says so', async () => {
  await writeFile(join(folder, 'file'), '')
  const store = await openKeptStore({
    folder: join(folder, 'file'),
    maxBytes: 1_000_000,
    askedAt: () => 0,
    onFault: error => void faults.push(error),
  })
  expect([await store.saveSite(site('one')), await store.writeText(place('a'), '1', 'text')]).toEqual([false, false])
  expect(faults.length).toBeGreaterThan(0)
})
