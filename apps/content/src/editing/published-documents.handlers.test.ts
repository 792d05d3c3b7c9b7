import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findUnwritable, type JSONDocument } from '@recto/markdown'
import { generatedDocuments, PublishedDocuments, publishedStrings } from '@recto/testing'
import fc from 'fast-check'
import { anEditor, type Change, insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { aSpace, change, page, pathsOf } = anEditor(() => content)
const { seed, count } = generatedDocuments
const documents = new PublishedDocuments(publishedStrings).arbitrary() as unknown as fc.Arbitrary<JSONDocument>

type Input = Extract<Change, { operation: 'insert_page' }>['document']
const inputOf = (document: unknown) => ({ document }) as Input

/** The path of a node in the details of a refusal. */
const place = expect.stringMatching(/^body\.changes\.0\.document\.document\.nodes/) as unknown

/** The references in a document, without URLs, which can be those of pages; a URL that is a fragment alone is an anchor of its page. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const isRef = 'kind' in value && !('label' in value)
  if (!isRef) return Object.values(value).flatMap(refsIn)
  const { kind, url } = value as { kind: unknown; url?: unknown }
  if (kind !== 'url') return [JSON.stringify(Object.entries(value).sort())]
  const [, anchor] = /^#(.+)$/.exec(String(url)) ?? []
  return anchor === undefined ? [] : refsIn({ kind: 'anchor', anchor: decodeURIComponent(anchor) })
}

it('A document of the published schema is read back as it was written, or is refused with its node', async () => {
  const spaceId = await aSpace()
  let acceptedCount = 0
  for (const [at, document] of fc.sample(documents, { numRuns: Math.ceil(count / 10), seed }).entries()) {
    const writing = change(spaceId, insert(`P${at}`, { document: inputOf(document) }))
    if (findUnwritable(document) !== undefined) {
      await expect(writing).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: place }] })
      expect(await pathsOf(spaceId)).not.toContain(`p${at}`)
      continue
    }
    const { changes } = await writing
    acceptedCount += 1
    const read = (await page(spaceId, `p${at}`, 'document')) as { document?: JSONDocument }
    expect(refsIn(read.document).sort()).toEqual(refsIn(document).sort())
    const pageId = changes[0]?.page?.id ?? ''
    await change(spaceId, { operation: 'update_page', page: pageId, document: inputOf(read.document) })
    expect((await page(spaceId, `p${at}`, 'document')) as object).toMatchObject({ document: read.document })
  }
  expect(acceptedCount).toBeGreaterThan(0)
})

it.each(['insert_page', 'update_page'] as const)(
  'A document that %s has in place of its content is refused, and changes nothing',
  async operation => {
    const spaceId = await aSpace()
    const { changes } = await change(spaceId, insert('P', { document: { markdown: '# P\n\nText' } }))
    const { document } = (await page(spaceId, 'p', 'document')) as { document?: JSONDocument }
    for (const wrong of [document, { nodes: [] }, { markdwn: 'x' }]) {
      const wrongChange = { operation, page: changes[0]?.page?.id ?? '', title: 'P', document: wrong } as Change
      await expect(change(spaceId, wrongChange)).rejects.toMatchObject({
        code: 'invalid_request',
        details: [
          {
            path: 'body.changes.0.document',
            message: expect.stringContaining('only markdown and document') as unknown,
          },
        ],
      })
    }
    expect(await pathsOf(spaceId)).toEqual(['p'])
    expect(await page(spaceId, 'p', 'document')).toMatchObject({ document })
  },
)
