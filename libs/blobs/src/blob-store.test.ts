import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Failure } from '@recto/operation'
import S3rver from 's3rver'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, jest } from '@jest/globals'
import { contentDisposition, createBlobStore } from './index.ts'
import type { BlobStore } from './index.ts'

interface Place {
  open(): Promise<BlobStore>
  /** The names of all stored files, with their folders below the store. */
  keys(): Promise<string[]>
  close(): Promise<void>
}

async function localPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
  let runs = 0
  return {
    open: async () => createBlobStore({ url: pathToFileURL(join(folder, `run ${++runs}`)).href }),
    keys: () => filesBelow(join(folder, `run ${runs}`)),
    close: () => rm(folder, { recursive: true }),
  }
}

async function s3Place(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'blobs-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await server.run()
  jest.replaceProperty(process, 'env', { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' })
  let runs = 0
  return {
    open: async () =>
      createBlobStore({ url: `s3://bucket/run%20${++runs}?endpoint=http://127.0.0.1:${port}&forcePathStyle=true` }),
    keys: async () =>
      (await filesBelow(join(directory, 'bucket', `run ${runs}`)))
        .filter(isObject)
        .map(key => key.replace(/\._S3rver_object$/, '')),
    async close() {
      jest.restoreAllMocks()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}

const isObject = (key: string) => key.endsWith('._S3rver_object')

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

async function* chunks(...parts: (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await new Promise(setImmediate)
    if (part instanceof Error) throw part
    yield Buffer.from(part)
  }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const hello = sha256('hello world')
const keyOf = (hash: string) => `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`

describe.each([
  ['a local folder', localPlace],
  ['S3', s3Place],
])('a blob store in %s', (kind, prepare) => {
  let place: Place
  let store: BlobStore
  beforeAll(async () => void (place = await prepare()))
  afterAll(() => place.close())
  beforeEach(async () => {
    store = await place.open()
    return () => store.close()
  })

  const sizes = [0, 1, 70_000, 12_000_000]
  test.each(sizes)('returns %i bytes unchanged, stored from a buffer or a stream', async size => {
    const bytes = randomBytes(size)
    const name = { hash: sha256(bytes), size }
    expect(await store.put(chunks(bytes.subarray(0, size / 2), bytes.subarray(size / 2)))).toEqual(name)
    const { size: stored, body } = await store.get(name.hash)
    expect([stored, (await buffer(body)).equals(bytes)]).toEqual([size, true])
    await store.delete(name.hash)
    expect(await store.put(bytes)).toEqual(name)
    expect((await store.bytes(name.hash)).equals(bytes)).toBe(true)
  })

  test.each([
    [0, 1, 'he'],
    [0, 10, 'hello world'],
    [6, 8, 'wor'],
    [10, 10, 'd'],
  ])('reads the bytes %i to %i', async (start, end, text) => {
    const { hash } = await store.put(Buffer.from('hello world'))
    const { size, body } = await store.get(hash, { start, end })
    expect([size, String(await buffer(body))]).toEqual([text.length, text])
    expect(await store.size(hash)).toBe(11)
  })

  test('has no size of a blob that is not there', () =>
    expect(store.size(hello)).rejects.toMatchObject({ code: 'not_found' }))

  test('stores one sharded key per content, however often it is put', async () => {
    await Promise.all([
      store.put(Buffer.from('hello world')),
      store.put(chunks('hello ', 'world')),
      store.put(chunks('hello world')),
    ])
    await store.put(chunks('hello world'))
    expect(await place.keys()).toEqual([keyOf(hello)])
  })

  test('reports the existence of stored and deleted blobs', async () => {
    expect(await store.has(hello)).toBe(false)
    await store.put(Buffer.from('hello world'))
    expect(await store.has(hello)).toBe(true)
    await store.delete(hello)
    await store.delete(hello)
    expect(await store.has(hello)).toBe(false)
    await expect(store.get(hello)).rejects.toMatchObject({ code: 'not_found' })
    await expect(store.bytes(hello)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('lists the hashes of all blobs and nothing else, and none of an empty store', async () => {
    const listed = async () => (await collected(store.list())).toSorted()
    expect(await listed()).toEqual([])
    const stored = [await store.put(Buffer.from('one')), await store.put(chunks(Buffer.from('two')))]
    expect(await listed()).toEqual(stored.map(({ hash }) => hash).toSorted())
  })

  test('verifies that a blob is there and is what its hash says', async () => {
    const { hash } = await store.put(Buffer.from('as it was'))
    expect(await store.verify(hash)).toBe(true)
    await store.delete(hash)
    expect(await store.verify(hash)).toBe(false)
  })

  test('removes partial data when the source fails, and rethrows its error', async () => {
    const failing = store.put(chunks(randomBytes(6_000_000), new Failure('timeout', 'The remote host is slow')))
    await expect(failing).rejects.toMatchObject({ code: 'timeout' })
    expect(await place.keys()).toEqual([])
  })

  test('removes partial data however early the source fails', async () => {
    for (let chunksBefore = 0; chunksBefore < 60; chunksBefore++) {
      const early = [
        ...Array.from({ length: chunksBefore % 6 }, () => 'a'),
        new Failure('timeout', 'The remote host is slow'),
      ]
      await expect(store.put(chunks(...early))).rejects.toMatchObject({ code: 'timeout' })
    }
    expect(await place.keys()).toEqual([])
  })

  test('refuses more bytes than allowed, in either direction', async () => {
    const limit = { maxBytes: 10 }
    await expect(store.put(Buffer.from('hello world'), limit)).rejects.toMatchObject({ code: 'too_large' })
    await expect(store.put(chunks('hello ', 'world'), limit)).rejects.toMatchObject({ code: 'too_large' })
    expect(await place.keys()).toEqual([])
    await store.put(Buffer.from('hello world'), { maxBytes: 11 })
    await expect(store.bytes(hello, limit)).rejects.toMatchObject({ code: 'too_large' })
    expect(String(await store.bytes(hello, { maxBytes: 11 }))).toBe('hello world')
  })

  const paths = [
    '',
    '..',
    '../../etc/passwd',
    hello.toUpperCase(),
    `${hello}/`,
    `${hello}\n`,
    hello.slice(1),
    `../${hello.slice(3)}`,
  ]
  test.each(paths)('refuses %j as a hash', async path => {
    const refused = { code: 'invalid_request' }
    await expect(store.has(path)).rejects.toMatchObject(refused)
    await expect(store.get(path)).rejects.toMatchObject(refused)
    await expect(store.bytes(path)).rejects.toMatchObject(refused)
    await expect(store.delete(path)).rejects.toMatchObject(refused)
    await expect(
      store.presign(path, { expiresAt: new Date(), contentType: 'a/b', disposition: 'inline' }),
    ).rejects.toMatchObject(refused)
  })

  test('is usable', async () => expect(await store.check()).toBe(true))

  test('deletes the temporary files of a crashed writer, not those being written', async () => {
    let resume = () => {}
    const paused = new Promise<void>(resolve => (resume = resolve))
    async function* slow() {
      yield Buffer.from('slow ')
      await paused
      yield Buffer.from('blob')
    }
    const writing = store.put(slow())
    expect(await store.deleteUnfinished(new Date(Date.now() - 60_000))).toBe(0)
    resume()
    expect((await writing).hash).toBe(sha256('slow blob'))
    expect(await store.deleteUnfinished(new Date(Date.now() + 60_000))).toBe(0)
    expect(await store.has(sha256('slow blob'))).toBe(true)
  })

  test('returns a presigned URL only with an S3 server', async () => {
    await store.put(Buffer.from('hello world'))
    const name = 'über (2).txt'
    const disposition = contentDisposition(name, 'text/plain')
    const url = await store.presign(hello, {
      expiresAt: new Date(Date.now() + 60_000),
      contentType: 'text/plain',
      disposition,
      cacheControl: 'private, no-cache',
    })
    if (kind !== 'S3') return expect(url).toBeUndefined()
    const answer = await fetch(url ?? '')
    expect([answer.status, await answer.text()]).toEqual([200, 'hello world'])
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-disposition')).toBe(disposition)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(Number(new URL(url ?? '').searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
  })
})

describe('a local folder', () => {
  const isLinux = process.platform === 'linux'
  const onLinux = isLinux ? test : test.skip
  onLinux(
    `has no file open after a reader stopped early${isLinux ? '' : ' (skipped: only Linux lists open files in /proc)'}`,
    async () => {
      const place = await localPlace()
      const store = await place.open()
      const { hash } = await store.put(randomBytes(1_000_000))
      const before = (await readdir('/proc/self/fd')).length
      const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await store.get(hash)).body))
      await Promise.all(
        bodies.map(body => new Promise(resolve => body.once('readable', () => body.once('close', resolve).destroy()))),
      )
      expect((await readdir('/proc/self/fd')).length).toBeLessThan(before + 10)
      await place.close()
    },
  )

  test('deletes the temporary files of a writer that died', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
    const store = createBlobStore({ url: pathToFileURL(folder).href })
    void store.put(hanging()).catch(() => {})
    while ((await filesBelow(folder)).length === 0) await nextTurn()
    expect(await collected(store.list())).toEqual([])
    expect(await store.deleteUnfinished(new Date(Date.now() + 1))).toBe(1)
    expect(await filesBelow(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })
})

test('a blob whose file was changed does not verify', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
  const store = createBlobStore({ url: pathToFileURL(folder).href })
  const { hash } = await store.put(Buffer.from('as it was'))
  await writeFile(join(folder, keyOf(hash)), 'as it is')
  expect(await store.verify(hash)).toBe(false)
  await rm(folder, { recursive: true })
})

async function collected(names: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const name of names) all.push(name)
  return all
}

async function* hanging(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('begun')
  await new Promise(() => {})
}

describe('an unusable store', () => {
  test.each(['s3://bucket/?endpoint=http://127.0.0.1:9&forcePathStyle=true', 'file:///dev/null/blobs'])(
    '%s reports the error',
    async url => {
      jest.replaceProperty(process, 'env', { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' })
      const store = createBlobStore({ url })
      expect(await store.check()).toMatch(/^the blob store cannot be used: /)
      await expect(store.put(Buffer.from('x'))).rejects.toMatchObject({ code: 'unavailable' })
      store.close()
      jest.restoreAllMocks()
    },
  )

  test.each(['https://bucket/x', 's3:///x', 'blobs'])('%s is not a valid store URL', url => {
    expect(() => createBlobStore({ url })).toThrow(TypeError)
  })
})
