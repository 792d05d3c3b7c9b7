import { deflateSync } from 'node:zlib'
import { verifyDownload } from '@recto/blobs'
import { toFailure } from '@recto/operation'
import { failure, readPdf } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEditor } from '../test/an-editor.ts'
import { aContent, importInto, type ContentSetup, type TestContent } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent({ PDF_MAX_IMAGE: '2000000' })))
afterAll(() => content.stop())

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const editor = anEditor(() => content)

const spaceWith = async (pages: TestContent) => {
  const spaceId = await editor.aSpace()
  await importInto(content, spaceId, pages)
  return spaceId
}
/** Repeats the request while the PDF is still being made, as a client does. */
async function request(spaceId: string): Promise<{ url: string }> {
  for (;;) {
    try {
      return await content.as('read').getSpacePDF({ params: { spaceId } })
    } catch (error) {
      if (toFailure(error).code !== 'unavailable') throw error
    }
  }
}
async function bytesOf(spaceId: string): Promise<Buffer> {
  const { url } = await request(spaceId)
  const download = verifyDownload({ secret: [secret], now: new Date() }, new URL(url).pathname)
  if (typeof download === 'string') throw new Error(`the URL is ${download}`)
  return content.blobs.bytes(download.hash)
}
const textOf = async (spaceId: string) =>
  (await readPdf(await bytesOf(spaceId))).sheets.map(({ text }) => text).join('\n')

describe('a PDF of', () => {
  it('A PDF of a page of 10 MB is made while other requests are answered', async () => {
    const line = `${'All work and no play makes Jack a dull boy. '.repeat(20)}\n\n`
    const spaceId = await spaceWith({ pages: { large: line.repeat(Math.ceil(10_000_000 / line.length)) } })
    const state = { isMade: false, answered: 0 }
    const making = bytesOf(spaceId).finally(() => void (state.isMade = true))
    for (let at = 0; at < 30; at++) {
      await content.as('read').getSpaceById({ params: { spaceId } })
      state.answered += state.isMade ? 0 : 1
    }
    expect((await making).subarray(0, 5).toString()).toBe('%PDF-')
    expect(state.answered).toBeGreaterThan(20)
  })

  it('A PDF of contents that include each other many times ends', async () => {
    const both = '{% include ".gitbook/includes/a.md" %}\n\n{% include ".gitbook/includes/b.md" %}\n\n'
    const inside = both.replaceAll('.gitbook/includes/', '').repeat(20)
    const spaceId = await spaceWith({
      pages: { start: both.repeat(20) },
      reusable: { a: `Text of a.\n\n${inside}`, b: `Text of b.\n\n${inside}` },
    })
    const text = await textOf(spaceId)
    expect(text).toContain('Text of a.')
    expect(text.match(/Text of/g)?.length).toBeLessThanOrEqual(300)
  })

  it('A PDF has notes in the places of pictures that nobody can show', async () => {
    const spaceId = await editor.aSpace()
    const bomb = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.from('00004e2000004e20080600000000000000', 'hex'),
      (() => {
        const data = deflateSync(Buffer.alloc(50_000_000), { level: 9 })
        const length = Buffer.alloc(4)
        length.writeUInt32BE(data.length)
        return Buffer.concat([length, Buffer.from('IDAT'), data, Buffer.alloc(4)])
      })(),
    ])
    await editor.change(
      spaceId,
      { operation: 'insert_files', files: [{ name: 'bomb.png', base64: bomb.toString('base64'), ref: 'bomb' }] },
      {
        operation: 'insert_page',
        title: 'Pictures',
        document: { markdown: 'Before.\n\n![The bomb](ref:bomb)\n\n![Elsewhere](https://127.0.0.1:9/a.png)\n\nAfter.' },
      },
    )
    const text = await textOf(spaceId)
    for (const part of ['Before.', 'The bomb', '20000 × 20000 pixels', 'Elsewhere', 'After.'])
      expect(text).toContain(part)
  })

  it('A PDF with too many pages is refused with what to do, and others are made after it', async () => {
    const small = await aContent({ PDF_MAX_PAGES: '5' })
    try {
      const author = anEditor(() => small)
      const spaceId = await author.aSpace()
      await importInto(small, spaceId, { pages: { long: 'Line.\n\n'.repeat(400), short: 'Text.' } })
      const print = (page?: string) =>
        small.as('read').getSpacePDF({ params: { spaceId }, query: page === undefined ? {} : { page } })
      await expect(print()).rejects.toMatchObject({
        code: 'too_large',
        message: 'The PDF would have more than 5 pages; ask for one page of it with `page` and `only`',
      })
      expect(await failure(print())).toBe('too_large')
      expect((await print(await author.idOf(spaceId, 'short'))).url).toContain('.pdf')
    } finally {
      await small.stop()
    }
  })
})
