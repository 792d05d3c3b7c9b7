import { randomBytes } from 'node:crypto'
import type { Role } from '@recto/actor'
import { verifyUpload } from '@recto/blobs'
import { query } from '@recto/database'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sweep } from '../jobs/purge.ts'
import { expireUploads } from './expire-uploads.ts'
import { anEditor, type Change } from '../test/an-editor.ts'
import { aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent({ GIT_MAX_FILE: '1000000' })))
afterAll(() => content.stop())

const hour = 3_600_000
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)
const params = { organizationId: organization }
const editor = anEditor(() => content)
const db = () => content.service.db
const fileOf = (size: number) => ({ name: 'a.pdf', type: 'application/pdf', size })
const start = (size = png.byteLength, client = editor.client()) =>
  client.generateStorageUploadURL({ params, body: { file: fileOf(size), kind: 'import_file' } })
const complete = (key: string, { hash, size }: { hash: string; size: number }) =>
  content.gatewayCalls.completeUpload({ body: { key, hash, size } })
const store = async (key: string, bytes: Buffer) => {
  const stored = await content.blobs.put(bytes)
  await complete(key, stored)
  return stored
}
const naming = (upload: string): Change => ({ operation: 'insert_files', files: [{ name: 'dot.pdf', upload }] })
const expireAt = (now: Date) => expireUploads(db(), { now })
const sweepAt = (now: Date) => sweep({ db: db(), blobs: content.blobs, now })

describe('an upload URL', () => {
  it('An upload URL is signed for the size that was declared, and is valid for an hour', async () => {
    const { object, url, key } = await start(1234)
    expect(object).toBe('storage-signed-url')
    const token = url.slice(url.lastIndexOf('/') + 1)
    const verify = (now: number) =>
      verifyUpload({ secret: ['a-secret-for-tests-of-32-characters-or-more'], now: new Date(now) }, token)
    expect(verify(Date.now())).toEqual({ key, size: 1234 })
    expect(verify(Date.now() + hour + 1_000)).toBe('expired')
  })

  it.each([
    ['too large', { file: fileOf(1_000_001), kind: 'import_file' as const }, 'body.file.size'],
    ['negative', { file: fileOf(-1), kind: 'import_file' as const }, 'body.file.size'],
    ['a font and too large', { file: fileOf(5_000_001), kind: 'customization_font' as const }, 'body.file.size'],
    ['a path', { file: { ...fileOf(1), name: '../a' }, kind: 'import_file' as const }, 'body.file.name'],
  ])('An upload URL is refused for a file that is %s', async (_what, body, path) => {
    const refused = editor.client().generateStorageUploadURL({ params, body })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })

  it.each<[string, Role | null | undefined, string | undefined]>([
    ['an editor', 'edit', undefined],
    ['a commenter', 'comment', 'forbidden'],
    ['a guest', null, 'forbidden'],
    ['an outsider', undefined, 'not_found'],
  ])('A request for an upload URL by %s is answered by their role', async (_who, role, expected) => {
    expect(await failure(start(1, content.as(role)))).toBe(expected)
  })

  it('An upload URL is for a guest who may edit a space', async () => {
    const guest = () => content.as(null, { user: 'writer' })
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'writer', role: 'comment' })
    expect(await failure(start(1, guest()))).toBe('forbidden')
    await aGrant(content, { space, user: 'writer', role: 'edit' })
    expect(await failure(start(1, guest()))).toBeUndefined()
  })
})

describe('a change', () => {
  it('A change inserts and replaces files by uploads, of the type that their bytes say', async () => {
    const spaceId = await editor.aSpace()
    const { key } = await start()
    const { hash } = await store(key, png)
    const { insertedFiles } = await editor.change(spaceId, naming(key))
    expect(insertedFiles).toMatchObject([
      { name: 'dot.pdf', contentType: 'image/png', size: png.byteLength, dimensions: { width: 1, height: 1 } },
    ])
    const bytes = Buffer.concat([png, randomBytes(400_000)])
    const other = await start(bytes.byteLength)
    await store(other.key, bytes)
    const file = insertedFiles[0]?.id ?? ''
    await editor.change(spaceId, { operation: 'replace_file', file, upload: other.key })
    const replaced = await editor.client().getFileById({ params: { spaceId, fileId: file } })
    expect(replaced).toMatchObject({ name: 'dot.pdf', contentType: 'image/png', size: bytes.byteLength })
    expect(await content.blobs.has(hash)).toBe(true)
  })

  it('A change is refused for an upload that cannot be used, and nothing changes', async () => {
    const spaceId = await editor.aSpace()
    const before = await editor.revisionOf(spaceId)
    const [unfinished, foreign, elsewhere, expired] = await Promise.all([
      start(),
      start(png.byteLength, content.as('create')),
      start(),
      start(),
    ])
    for (const { key } of [foreign, elsewhere, expired]) await store(key, png)
    await query(db(), `update uploads set organization_id = 'other' where id = $1`, [elsewhere.key])
    await query(db(), `update uploads set expires_at = now() where id = $1`, [expired.key])
    for (const key of [unfinished.key, foreign.key, elsewhere.key, expired.key, 'nothing'])
      await expect(editor.change(spaceId, naming(key))).rejects.toMatchObject({
        code: 'conflict',
        details: [{ path: 'body.changes.0.files.0.upload' }],
      })
    const replacing = { operation: 'replace_file' as const, file: 'any', upload: 'nothing' }
    await expect(editor.change(spaceId, replacing)).rejects.toMatchObject({
      details: [{ path: 'body.changes.0.upload' }],
    })
    expect(await editor.revisionOf(spaceId)).toBe(before)
  })
})

describe('the bytes of an upload', () => {
  it('The bytes of an upload may be sent again, and what they replace is freed', async () => {
    const { key } = await start(4)
    const first = await store(key, Buffer.from('abcd'))
    const second = await store(key, Buffer.from('efgh'))
    await complete(key, second)
    await sweepAt(new Date(Date.now() + hour))
    expect(await Promise.all([first, second].map(({ hash }) => content.blobs.has(hash)))).toEqual([false, true])
  })

  it('The bytes of an upload stay as long as it, or the content that it became', async () => {
    const used = await start(4)
    const unused = await start(4)
    const usedBlob = await store(used.key, Buffer.from('kept'))
    const unusedBlob = await store(unused.key, Buffer.from('left'))
    await editor.change(await editor.aSpace(), naming(used.key))
    const stored = async () => Promise.all([usedBlob, unusedBlob].map(({ hash }) => content.blobs.has(hash)))
    const marks = [usedBlob, unusedBlob].map(({ hash }) => hash)
    await query(
      db(),
      `insert into garbage (kind, hash, since) select 'blob', hash, now() from unnest($1::text[]) as marked (hash)`,
      [marks],
    )
    const later = (hours: number) => new Date(Date.now() + hours * hour)
    await expireAt(later(23))
    await sweepAt(later(23))
    expect(await stored()).toEqual([true, true])
    await expireAt(later(25))
    await sweepAt(later(25.5))
    expect(await stored()).toEqual([true, true])
    await sweepAt(later(26))
    expect(await stored()).toEqual([true, false])
  })

  it('The bytes of an upload are refused and freed when the upload is gone', async () => {
    const stored = await content.blobs.put(Buffer.from('late'))
    expect(await failure(complete('nothing', stored))).toBe('not_found')
    await sweepAt(new Date(Date.now() + hour))
    expect(await content.blobs.has(stored.hash)).toBe(false)
  })

  it('The bytes of an upload that were freed meanwhile are to be sent again', async () => {
    const { key } = await start(4)
    expect(await failure(complete(key, { hash: 'f'.repeat(64), size: 4 }))).toBe('unavailable')
  })
})
