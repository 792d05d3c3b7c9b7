import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBlobStore, signDownload, type BlobStore } from '@recto/blobs'
import express from 'express'
import { removeFolder } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mountDownloads } from './downloads.ts'

const secret = 'a secret of the installation'
const text = 'hello world'
let blobs: BlobStore
let server: Server
let folder: string
let hash: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'downloads-'))
  blobs = createBlobStore({ url: pathToFileURL(folder).href })
  hash = (await blobs.put(Buffer.from(text))).hash
  const app = express()
  // Addresses of members end with no site, so nothing need be known of any.
  const closings = { isClosed: () => true, areKnown: () => false, ready: new Promise<void>(() => undefined) }
  mountDownloads(app, { blobs, secret: [secret], closings })
  await new Promise<void>(resolve => (server = app.listen(0, '127.0.0.1', () => resolve())))
})
afterAll(async () => {
  await new Promise(resolve => server.close(resolve))
  blobs.close()
  await removeFolder(folder)
})

function linkTo(file: { name?: string; contentType?: string; hash?: string } = {}): string {
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const expiresAt = new Date(Date.now() + 60_000)
  return signDownload({
    secret: [secret],
    publicUrl,
    expiresAt,
    hash,
    name: 'a.txt',
    contentType: 'text/plain',
    ...file,
  })
}
const download = async (headers: Record<string, string> = {}, method = 'GET') => {
  const reply = await fetch(linkTo(), { headers, method })
  return { reply, status: reply.status, body: await reply.text(), header: (name: string) => reply.headers.get(name) }
}

describe('a download', () => {
  it('has the bytes, their type and a strong tag, and may be kept for ever', async () => {
    const { status, body, header } = await download()
    expect([status, body]).toEqual([200, text])
    expect(header('etag')).toBe(`"${hash}"`)
    expect(header('content-length')).toBe('11')
    expect(header('cache-control')).toBe('private, max-age=3600, immutable')
    expect(header('accept-ranges')).toBe('bytes')
    expect(header('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['the same', (tag: string) => tag, 304],
    ['the same, weakly', (tag: string) => `W/${tag}`, 304],
    ['one of several', (tag: string) => `"x", ${tag}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"x"', 200],
    ['a part', (tag: string) => tag.slice(0, 20), 200],
  ])('is not sent again to a caller who has %s version', async (_which, tagOf, expected) => {
    const { status, body } = await download({ 'if-none-match': tagOf(`"${hash}"`) })
    expect([status, body]).toEqual([expected, expected === 304 ? '' : text])
  })

  it.each([
    ['bytes=0-0', 206, 'h', 'bytes 0-0/11'],
    ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
    ['bytes=-3', 206, 'rld', 'bytes 8-10/11'],
    ['bytes=6-100', 206, 'world', 'bytes 6-10/11'],
    ['bytes=-100', 206, text, 'bytes 0-10/11'],
    ['bytes=0-2,2-4', 206, 'hello', 'bytes 0-4/11'],
    ['bytes=11-', 416, '', 'bytes */11'],
    ['bytes=20-30', 416, '', 'bytes */11'],
    ['bytes=0-1,5-6', 200, text, null],
    ['lines=0-1', 200, text, null],
    ['nonsense', 200, text, null],
  ])('of the range %s is %i', async (range, expected, part, contentRange) => {
    const { status, body, header } = await download({ range })
    expect([status, body, header('content-range')]).toEqual([expected, part, contentRange])
    if (expected !== 416) expect(header('content-length')).toBe(String(part.length))
  })

  it.each([
    ['this version', () => `"${hash}"`, 206],
    ['this version, weakly', () => `W/"${hash}"`, 200],
    ['another version', () => '"x"', 200],
    ['a time', () => new Date().toUTCString(), 200],
  ])('of a range of %s is %i', async (_which, version, expected) => {
    const { status } = await download({ range: 'bytes=0-1', 'if-range': version() })
    expect(status).toBe(expected)
  })

  it('that is only asked about has headers and no bytes', async () => {
    const { status, body, header } = await download({ range: 'bytes=0-1' }, 'HEAD')
    expect([status, body, header('content-length')]).toEqual([200, '', '11'])
  })

  it.each([
    ['image/png', 'a.png', 'inline; filename=a.png'],
    ['text/html', 'a.html', 'attachment; filename=a.html'],
    ['image/svg+xml', 'a.svg', 'attachment; filename=a.svg'],
    ['text/plain', 'ä b.txt', `inline; filename="_ b.txt"; filename*=UTF-8''%C3%A4%20b.txt`],
  ])('of %s is shown or saved, and runs no script', async (contentType, name, disposition) => {
    const { headers } = await fetch(linkTo({ contentType, name }))
    expect(headers.get('content-disposition')).toBe(disposition)
    expect(headers.get('content-type')?.split(';')[0]).toBe(contentType)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  })

  it('of a file that is gone, or through a forged link, is not there', async () => {
    const gone = await fetch(linkTo({ hash: '0'.repeat(64) }))
    const forged = await fetch(linkTo().replace('a.txt', 'b.txt'))
    expect([gone.status, forged.status]).toEqual([404, 404])
  })
})
