import { verifyDownload } from '@recto/blobs'
import { query, transact } from '@recto/database'
import { eventually, failure, readPdf, type ReadPdf } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { purge, sweep } from '../jobs/purge.ts'
import { expirePdfs } from './expire-pdfs.ts'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, aGrant, importInto, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const hour = 3_600_000
const day = 86_400_000
const secret = 'a-secret-for-tests-of-32-characters-or-more'
const editor = aProposer(() => content)
const db = () => content.service.db

/** The blob behind the URL of a PDF, which is checked. */
function blobAt(url: string): string {
  const download = verifyDownload({ secret: [secret], now: new Date(Date.now() + hour - 1_000) }, new URL(url).pathname)
  if (typeof download === 'string') throw new Error(`the URL is ${download}`)
  expect(download.contentType).toBe('application/pdf')
  expect(url.length).toBeLessThanOrEqual(2048)
  return download.hash
}
const urlOf = async (spaceId: string, printing: { page?: string; only?: 'true' | 'false' } = {}) =>
  (await content.as('read').getSpacePDF({ params: { spaceId }, query: printing })).url
const readAt = async (url: string) => readPdf(await content.blobs.bytes(blobAt(url)))
const pdfOf = async (...args: Parameters<typeof urlOf>) => readAt(await urlOf(...args))
const textOf = ({ sheets }: ReadPdf) => sheets.map(({ text }) => text).join('\n')
const titles = ({ outline }: ReadPdf): unknown[] => {
  const read = (items: ReadPdf['outline']): unknown[] =>
    items.map(({ title, items: inside }) => (inside.length > 0 ? [title, read(inside)] : title))
  return read(outline)
}
const rowsOf = (spaceId: string) =>
  query<{ key: string; hash: string | null }>(db(), 'select key, hash from pdfs where space_id = $1', [spaceId])

describe('a PDF of a space', () => {
  it('A PDF of a space has a title, a linked table of contents with page numbers, and all pages in order', async () => {
    const { spaceId } = await editor.aTree()
    const pdf = await pdfOf(spaceId)
    expect(pdf.sheets.map(({ label }) => label)).toEqual(['i', 'ii', '1', '2', '3', '4'])
    expect(titles(pdf)).toEqual([['A', [['B', ['C']]]], 'D'])
    expect(pdf.sheets[1]?.text).toContain('Contents')
    expect(pdf.sheets[1]?.links).toEqual([{ sheet: 3 }, { sheet: 4 }, { sheet: 5 }, { sheet: 6 }])
  })

  it('A PDF of one page has it with or without those below it', async () => {
    const { spaceId, a, b } = await editor.aTree()
    expect(titles(await pdfOf(spaceId, { page: b }))).toEqual([['B', ['C']]])
    expect(titles(await pdfOf(spaceId, { page: a, only: 'true' }))).toEqual(['A'])
    expect(await failure(urlOf(spaceId, { page: 'noSuchPage' }))).toBe('not_found')
  })

  it('A PDF of an empty space is a title', async () => {
    const pdf = await pdfOf(await editor.aSpace())
    expect(pdf.sheets).toHaveLength(1)
  })

  it('A PDF has what authors read: variables, included contents, and conditional texts with their conditions', async () => {
    const spaceId = await editor.aSpace()
    await importInto(content, spaceId, {
      variables: { product: 'Recto' },
      pages: {
        start: [
          '# Page start',
          'Welcome to <code class="expression">space.vars.product</code>.',
          '{% include ".gitbook/includes/shared.md" %}',
          '<!-- A comment -->',
          '{% if visitor.claims.beta %}\nA secret plan.\n{% endif %}',
          'Go [on](more.md#the-end), or to [nowhere](nowhere.md).',
        ].join('\n\n'),
        more: '# Page more\n\nText.\n\n## The end\n\nEnd.',
      },
      reusable: { shared: 'What is shared.\n\n{% include "shared.md" %}' },
    })
    const pdf = await pdfOf(spaceId)
    const text = textOf(pdf)
    for (const part of ['Welcome to Recto.', 'What is shared.', 'Shown if visitor.claims.beta', 'A secret plan.'])
      expect(text).toContain(part)
    expect(text).not.toContain('A comment')
    // A circle of included contents ends.
    expect(text.match(/What is shared/g)?.length).toBeLessThanOrEqual(5)
    expect(pdf.sheets.find(({ text: own }) => own.includes('Welcome'))?.links).toEqual([{ sheet: 4 }])
  })

  it('A PDF of a space leaves hidden pages out unless one is named', async () => {
    const spaceId = await editor.aSpace()
    const { changes } = await editor.change(
      spaceId,
      insert('Shown', { ref: 'shown' }),
      insert('Hidden', { ref: 'hidden', hidden: true }),
      insert('Below', { into: 'hidden' }),
    )
    expect(titles(await pdfOf(spaceId))).toEqual(['Shown'])
    expect(titles(await pdfOf(spaceId, { page: changes[1]?.page?.id ?? '' }))).toEqual([['Hidden', ['Below']]])
  })

  it('A PDF is for those who can read the space', async () => {
    const spaceId = await editor.aSpace()
    await editor.change(spaceId, insert('A'))
    const get = (role: Parameters<ContentSetup['as']>[0], user?: string) =>
      failure(content.as(role, user === undefined ? {} : { user }).getSpacePDF({ params: { spaceId } }))
    expect(await get(undefined)).toBe('not_found')
    expect(await get(null)).toBe('not_found')
    await aGrant(content, { space: spaceId, user: 'a-reader', role: 'read' })
    expect(await get(null, 'a-reader')).toBeUndefined()
  })
})

describe('a PDF', () => {
  it('A PDF of a change request has what it proposes, and that of main content has not', async () => {
    const { spaceId, d } = await editor.aTree()
    const changeRequest = await editor.propose(spaceId)
    await editor.edit(changeRequest, insert('Proposed'))
    const params = { spaceId, changeRequestId: changeRequest.id }
    const { url } = await content.as('read').getChangeRequestPDF({ params })
    expect(titles(await readAt(url))).toEqual([['A', [['B', ['C']]]], 'D', 'Proposed'])
    expect(titles(await pdfOf(spaceId))).not.toContain('Proposed')
    const one = await content.as('read').getChangeRequestPDF({ params, query: { page: d, only: 'true' } })
    expect(titles(await readAt(one.url))).toEqual(['D'])
    const unknown = content.as('read').getChangeRequestPDF({ params: { spaceId, changeRequestId: 'no-such' } })
    expect(await failure(unknown)).toBe('not_found')
  })

  it('A PDF is made once for all who ask at the same time, and again for new content only', async () => {
    const { spaceId } = await editor.aTree()
    const urls = await Promise.all(Array.from({ length: 8 }, () => urlOf(spaceId)))
    expect(new Set(urls).size).toBe(1)
    const [made] = await rowsOf(spaceId)
    expect(await urlOf(spaceId)).toBe(urls[0])
    expect(await rowsOf(spaceId)).toEqual([made])
    await editor.change(spaceId, insert('E'))
    expect(titles(await pdfOf(spaceId))).toContain('E')
    expect(await rowsOf(spaceId)).toHaveLength(2)
  })

  it('A PDF that a process left unfinished is made by another, and one that fails is not tried again at once', async () => {
    const { spaceId, d } = await editor.aTree()
    await urlOf(spaceId, { page: d })
    const change = (set: string) => query(db(), `update pdfs set hash = null, ${set} where space_id = $1`, [spaceId])
    await change(`leased_until = now() - interval '1 second'`)
    expect(titles(await pdfOf(spaceId, { page: d }))).toEqual(['D'])
    await change(`fault = 'The content takes too long', expires_at = now() + interval '1 minute'`)
    await expect(urlOf(spaceId, { page: d })).rejects.toMatchObject({
      code: 'too_large',
      message: 'The content takes too long',
    })
    await change(`expires_at = now()`)
    expect(titles(await pdfOf(spaceId, { page: d }))).toEqual(['D'])
  })

  it('A PDF is deleted when it is old, and not while it is used', async () => {
    const { spaceId } = await editor.aTree()
    const hash = blobAt(await urlOf(spaceId))
    const collect = async (now: Date) => {
      await expirePdfs(db(), { now })
      await sweep({ db: db(), blobs: content.blobs, now: new Date(now.getTime() + hour) })
      return content.blobs.has(hash)
    }
    expect(await collect(new Date(Date.now() + 6 * day))).toBe(true)
    await query(db(), `update pdfs set expires_at = now() + interval '5 days' where space_id = $1`, [spaceId])
    await urlOf(spaceId)
    expect(await collect(new Date(Date.now() + 6 * day))).toBe(true)
    expect(await collect(new Date(Date.now() + 7 * day))).toBe(false)
    expect(await rowsOf(spaceId)).toEqual([])
    expect(blobAt(await urlOf(spaceId))).toBe(hash)
    expect(await content.blobs.has(hash)).toBe(true)
  })

  it('A PDF is deleted with its space', async () => {
    const { spaceId } = await editor.aTree()
    const hash = blobAt(await urlOf(spaceId))
    await content.as('create').deleteSpaceById({ params: { spaceId } })
    expect(await failure(urlOf(spaceId))).toBe('not_found')
    await query(db(), `update spaces set deleted_at = now() - interval '8 days' where id = $1`, [spaceId])
    const transaction = <T>(work: Parameters<typeof transact<T>>[2]) => transact(db(), () => undefined, work)
    await purge({ transaction, now: new Date() })
    await sweep({ db: db(), blobs: content.blobs, now: new Date(Date.now() + hour) })
    expect(await rowsOf(spaceId)).toEqual([])
    expect(await content.blobs.has(hash)).toBe(false)
  })

  it('A PDF that a stopping service was making is made by the next one', async () => {
    const own = await aContent()
    try {
      const author = aProposer(() => own)
      const spaceId = await author.aSpace()
      await importInto(own, spaceId, { pages: { long: 'All work and no play. '.repeat(50_000) } })
      const print = () => own.as('read').getSpacePDF({ params: { spaceId } })
      const first = failure(print())
      const leased = `select from pdfs where space_id = $1 and hash is null and leased_until > now()`
      const isLeased = async () => (await query(own.service.db, leased, [spaceId])).length
      await eventually(async () => expect(await isLeased()).toBe(1))
      await own.service.stop()
      expect(await first).toBe('unavailable')
      const again = await own.startAgain()
      expect((await query(again.db, leased, [spaceId])).length).toBe(0)
      expect((await print()).url).toContain('.pdf')
      await again.stop()
    } finally {
      await own.stop()
    }
  })
})
