import type { Role } from '@recto/actor'
import { verifyDownload } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { failure, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readContentState } from '../admin/check-content.ts'
import { sweep } from '../jobs/purge.ts'
import { expireUploads } from '../uploads/expire-uploads.ts'
import { aContent, type ContentSetup, organization } from '../test/content-setup.ts'

const schemas = replySchemas()
const valid = (operation: string, status: number, reply: unknown) =>
  expect(schemas.validateReply(operation, status, reply)).toEqual([])

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const params = { organizationId: organization }
const creator = () => content.as('create', { user: 'designer' })
const bytesOf = (text: string) => Buffer.from(`wOF2 ${text} ${Math.random()}`)

/** Uploads a file and returns its key. */
async function upload(bytes: Buffer): Promise<string> {
  const file = { name: 'a.woff2', type: 'font/woff2', size: bytes.byteLength }
  const { key } = await creator().generateStorageUploadURL({ params, body: { file, kind: 'customization_font' } })
  const { hash, size } = await content.blobs.put(bytes)
  await content.gatewayCalls.completeUpload({ body: { key, hash, size } })
  return key
}
const face = async (weight: number, bytes = bytesOf(String(weight))) => ({ weight, storageKey: await upload(bytes) })
const create = async (...faces: { weight: number; storageKey: string }[]) =>
  creator().createCustomFont({ params, body: { fontFamily: 'Ours', fontFaces: faces } })
const hashOf = (url: string) => {
  const file = verifyDownload({ secret: ['a-secret-for-tests-of-32-characters-or-more'], now: new Date() }, url)
  return typeof file === 'string' ? file : { hash: file.hash, type: file.contentType }
}
const hashesOf = ({ fontFaces }: Awaited<ReturnType<typeof create>>) =>
  fontFaces.flatMap(({ sources }) => sources.map(({ url }) => (hashOf(url) as { hash: string }).hash))

describe('a font', () => {
  it('A font is created from uploads, read, listed, changed and deleted', async () => {
    const font = await create(await face(700), await face(400))
    valid('createCustomFont', 201, font)
    expect(font).toMatchObject({ custom: true, fontFamily: 'Ours', permissions: { edit: true } })
    expect(font.fontFaces.map(({ weight, sources }) => [weight, sources[0]?.format])).toEqual([
      [400, 'woff2'],
      [700, 'woff2'],
    ])
    expect(hashOf(font.fontFaces[0]?.sources[0]?.url ?? '')).toMatchObject({ type: 'font/woff2' })
    const at = { ...params, fontId: font.id }
    const read = await content.as('read').getCustomFont({ params: at })
    valid('getCustomFont', 200, read)
    expect(read).toEqual({ ...font, permissions: { edit: false } })
    const list = await creator().listCustomFonts({ params })
    valid('listCustomFonts', 200, list)
    expect(list.items).toContainEqual(font)

    const fontFaces = [await face(900), { weight: 700, storageKey: null }]
    const changed = await creator().updateCustomFont({ params: at, body: { fontFamily: 'Theirs', fontFaces } })
    valid('updateCustomFont', 201, changed)
    expect([changed.fontFamily, changed.fontFaces.map(({ weight }) => weight)]).toEqual(['Theirs', [400, 900]])
    for (const _twice of [1, 2]) await creator().deleteCustomFont({ params: at })
    expect(await failure(creator().getCustomFont({ params: at }))).toBe('not_found')
  })

  it.each<[string, () => Promise<object[]>, string, string]>([
    ['no regular weight', async () => [await face(700)], 'body.fontFaces', 'invalid_request'],
    ['a weight twice', async () => [await face(400), await face(400)], 'body.fontFaces', 'invalid_request'],
    [
      'a file that is no font',
      async () => [await face(400, Buffer.from('<svg>'))],
      'body.fontFaces.0.storageKey',
      'invalid_request',
    ],
    ['no upload', async () => [{ weight: 400, storageKey: 'none' }], 'body.fontFaces.0.storageKey', 'conflict'],
    ['a wrong weight', async () => [{ weight: 0, storageKey: 'none' }], 'body.fontFaces.0.weight', 'invalid_request'],
  ])('A font with %s is refused', async (_what, faces, path, code) => {
    const before = await creator().listCustomFonts({ params })
    const body = { fontFamily: 'Ours', fontFaces: (await faces()) as never }
    await expect(creator().createCustomFont({ params, body })).rejects.toMatchObject({
      code,
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    })
    expect(await creator().listCustomFonts({ params })).toEqual(before)
  })

  it('A font keeps its regular weight, and takes no upload of others', async () => {
    const { id } = await create(await face(400))
    const update = (client: ReturnType<typeof creator>, fontFaces: { weight: number; storageKey: string | null }[]) =>
      client.updateCustomFont({ params: { ...params, fontId: id }, body: { fontFaces } })
    await expect(update(creator(), [{ weight: 400, storageKey: null }])).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.fontFaces', message: 'must leave the weight 400' }],
    })
    expect(await failure(update(content.as('create', { user: 'another' }), [await face(700)]))).toBe('conflict')
  })

  it.each<[Role | null | undefined, string | undefined]>([
    ['create', undefined],
    ['edit', 'forbidden'],
    [null, 'forbidden'],
    [undefined, 'not_found'],
  ])('A font is changed by those who manage sites: %s', async (role, expected) => {
    const { id } = await create(await face(400))
    const at = { ...params, fontId: id }
    const client = content.as(role)
    expect(await failure(client.updateCustomFont({ params: at, body: { fontFamily: 'X' } }))).toBe(expected)
    expect(await failure(client.deleteCustomFont({ params: at }))).toBe(expected)
  })
})

it('The files of a font are kept as long as it is, and freed with it', async () => {
  const font = await create(await face(400), await face(700))
  const [regular = '', bold = ''] = hashesOf(font)
  const freed = async (afterDays: number) => {
    const now = new Date(Date.now() + afterDays * 24 * 3_600_000)
    await expireUploads(content.service.db, { now })
    await sweep({ db: content.service.db, blobs: content.blobs, now: new Date(now.getTime() + 2 * 3_600_000) })
    return Promise.all([regular, bold].map(async hash => !(await content.blobs.has(hash))))
  }
  expect(await freed(2)).toEqual([false, false])
  const { named } = await readContentState(content.service.db, content.blobs)
  expect([named.blob.has(regular), named.blob.has(bold)]).toEqual([true, true])
  const at = { ...params, fontId: font.id }
  await creator().updateCustomFont({ params: at, body: { fontFaces: [{ weight: 700, storageKey: null }] } })
  expect(await freed(4)).toEqual([false, true])
  await creator().deleteCustomFont({ params: at })
  expect(await freed(6)).toEqual([true, true])
})

it('Publishing learns the fonts of an organization, and none of others', async () => {
  const { id, fontFamily, fontFaces } = await create(await face(400))
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const describeFonts = (of: string) => bus.describeFonts({ body: { organization: of, fonts: [id, 'none'] } })
  expect(await describeFonts(organization)).toEqual({ fonts: [{ id, fontFamily, fontFaces }] })
  expect(await describeFonts('another')).toEqual({ fonts: [] })
})
