import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup } from '../test/content-setup.ts'
import { aHostileWeb, type Body, type Ending, type HostileSetup, type Source } from '../test/hostile-imports.ts'
import { type WebServer } from '@recto/testing'

const megabyte = 1024 * 1024

let hostile: HostileSetup
let content: ContentSetup
let web: WebServer
beforeAll(async () => {
  hostile = await aHostileWeb()
  ;({ content, web } = hostile)
})
afterAll(() => hostile.stop())

const importFrom: HostileSetup['ends'] = (source, path) => hostile.ends(source, path)
const either = (...endings: Ending[]): Ending[] => endings

describe('a page', () => {
  const nested = (name: string, depth: number) => `<main><h1>T</h1>${`<${name}>`.repeat(depth)}x`
  const bomb = (body: Buffer) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(body)
  const raw = (headers: string, body: string) => (response: ServerResponse) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${headers}\r\n${body}`)
  }
  /** Writes pieces as fast as they are taken until the connection ends. */
  const endless = (piece: Buffer) => (response: ServerResponse) => {
    const write = (): void => {
      if (!response.destroyed && response.write(piece)) setImmediate(write)
    }
    response.on('drain', write).writeHead(200, { 'content-type': 'text/html' })
    write()
  }

  const cases: [string, Source, () => Body, Ending[]][] = [
    ['of 50 MB', 'html', () => `<p>${'x'.repeat(50 * megabyte)}`, either('too_large')],
    ['of 50 MB of Markdown', 'markdown', () => 'word '.repeat(10 * megabyte), either('too_large')],
    ['that does not end', 'html', () => endless(Buffer.alloc(megabyte, 'x')), either('too_large')],
    ['of 2 MB of nested elements', 'html', () => nested('div', 400_000), either('too_large', 'timeout')],
    ['of 10,000 nested elements', 'html', () => nested('div', 10_000), either('imported', 'too_large', 'timeout')],
    ['of 10,000 quotations', 'html', () => nested('blockquote', 10_000), either('imported', 'too_large', 'timeout')],
    ['of 200,000 unclosed elements', 'html', () => nested('b', 200_000), either('imported', 'too_large', 'timeout')],
    ['of unclosed comments', 'html', () => '<h1>T</h1>' + '<!--'.repeat(megabyte), either('imported')],
    ['of 100,000 attributes', 'html', () => `<p ${'a="b" '.repeat(100_000)}>x`, either('imported')],
    ['compressed to a bomb', 'html', () => bomb(gzipSync(Buffer.alloc(50 * megabyte))), either('invalid_request')],
    ['shorter than it says', 'html', () => raw('content-length: 90\r\n', '<h1>T</h1>'), either('unavailable')],
    [
      'longer than it says',
      'html',
      () => raw('content-length: 5\r\n', '<h1>T</h1>'),
      either('imported', 'unavailable'),
    ],
    ['with endless headers', 'html', () => raw(`x: ${'y'.repeat(megabyte)}\r\n`, 'x'), either('unavailable')],
    ['of 10,000 nested lists', 'markdown', () => '- '.repeat(10_000), either('imported', 'too_large', 'timeout')],
    ['of 10,000 quotes', 'markdown', () => `${'>'.repeat(10_000)} x`, either('imported', 'too_large', 'timeout')],
    ['of 10,000 tags', 'markdown', () => '{% hint style="info" %}\n'.repeat(10_000), either('imported')],
    ['of unclosed tags', 'markdown', () => '{% '.repeat(300_000), either('imported', 'too_large', 'timeout')],
    ['of quadratic emphasis', 'markdown', () => '*a **a '.repeat(50_000), either('imported', 'too_large', 'timeout')],
    ['of brackets', 'markdown', () => '['.repeat(100_000), either('imported', 'too_large', 'timeout')],
    [
      'with front matter that expands',
      'markdown',
      () => `---\na: &a [x,x,x,x,x,x,x,x,x]\n${laughs}title: *i\n---\n# T\n`,
      either('imported'),
    ],
  ]
  const laughs = Array.from('bcdefghi', (name, at) => {
    const before = 'abcdefgh'[at]
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]\n`
  }).join('')

  it.each(cases)('The import of a page %s ends, and the service is alive', async (_what, source, body, endings) => {
    web.set({ '/hostile': body() })
    const { ending, spaceId } = await importFrom(source, '/hostile')
    expect(endings).toContain(ending)
    if (ending === 'imported') await readsAsDocument(spaceId)
  })

  it('A page with 2,000 images in it is refused', async () => {
    const image = (at: number) => `<img src="data:image/png;base64,${Buffer.from(`image ${at}`).toString('base64')}">`
    web.set({ '/images': `<main><h1>T</h1>${Array.from({ length: 2_000 }, (_, at) => image(at)).join('')}` })
    expect((await importFrom('html', '/images')).ending).toBe('too_large')
  })
})

/** Reads the first page of a space as a document, for which it has to be parsed. */
async function readsAsDocument(spaceId: string): Promise<void> {
  const client = content.as('read')
  const { pages } = await client.listPages({ params: { spaceId } })
  const params = { spaceId, pageId: pages[0]?.id ?? '' }
  const read = await client.getPageById({ params, query: { format: 'document' } }).catch((error: Error) => error)
  if (read instanceof Error) expect(read).toMatchObject({ code: expect.stringMatching(/^(?:too_large|timeout)$/) })
  else expect(read).toMatchObject({ document: { object: 'document' } })
}

describe('a page that comes by bytes', () => {
  it('The import of a page that comes by bytes ends when its time is over', async () => {
    const hasty = await aContent({ IMPORT_TIMEOUT: '1000' })
    const spaceId = await aSpace(hasty)
    const drip = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    web.set({ '/drip': drip, '/site/': '<h1>T</h1><a href="drip">d</a>', '/site/drip': drip })
    for (const [path, source] of [
      ['/drip', 'html'],
      ['/drip', 'zip'],
      ['/site/', 'website'],
    ] as const) {
      const body = { url: `${web.url}${path}`, source }
      const reply = hasty.as('edit').importContent({ params: { spaceId }, body })
      await expect(reply).rejects.toMatchObject({ code: 'timeout' })
    }
    expect((await hasty.as('read').listPages({ params: { spaceId } })).pages).toEqual([])
    await hasty.stop()
  })
})
