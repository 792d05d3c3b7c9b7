import { aDocx, aZip, type ZipEntry } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { convertDocxUrl } from './docx-page.ts'
import type { ConvertedPage, ConvertLimits } from './model.ts'
import { aWeb, pixel } from './test/tools.ts'
import { convertZipUrl } from './zip.ts'

const url = 'https://x.example/docs.zip'
const convert = (entries: ZipEntry[] | Record<string, string>, limits: Partial<ConvertLimits> = {}) =>
  convertZipUrl(url, aWeb({ [url]: aZip(entries) }, limits).tools)
const outline = (pages: ConvertedPage[]): unknown[] =>
  pages.map(({ title, pages: below }) => (below.length > 0 ? [title, outline(below)] : title))

describe('a zip file', () => {
  it('without SUMMARY.md gives a tree of its folders, below the one around everything', async () => {
    const { pages, files, total, imported, warnings } = await convert([
      { name: 'docs-main/guide/2-use.md', content: '# Use\n\n[start](../index.html#top) ![l](../img/l.png)' },
      { name: 'docs-main/guide/10-more.md', content: 'no heading' },
      { name: 'docs-main/guide/README.md', content: '# Guide\n' },
      { name: 'docs-main/index.html', content: '<h1>Home</h1><a href="guide/">guide</a>' },
      { name: 'docs-main/empty/', content: '' },
      { name: 'docs-main/img/l.png', content: pixel },
      { name: 'docs-main/inner.zip', content: aZip({ 'a.md': '# A' }) },
      { name: 'docs-main/.git/config', content: 'x' },
    ])
    expect(outline(pages)).toEqual(['Home', ['Guide', ['Use', '10 more']]])
    expect(pages[0]).toMatchObject({ file: 'README.md', markdown: '# Home\n\n[guide](guide/README.md)\n' })
    expect(pages[1]?.pages[0]?.markdown).toBe('# Use\n\n[start](../README.md#top) ![l](../img/l.png)')
    expect(files.map(({ path, contentType }) => [path, contentType])).toEqual([
      ['img/l.png', 'image/png'],
      ['inner.zip', 'application/zip'],
    ])
    expect({ total, imported, warnings }).toEqual({ total: 6, imported: 6, warnings: [] })
  })

  it("has the text of Recto's own file, which is no file of the content; one that is too large is refused", async () => {
    const own = (text: string) => convert({ 'docs/a.md': '# A', 'docs/.gitbook/recto.yaml': text })
    const { files, settings, warnings } = await own('version: 1\n')
    expect({ files, settings, warnings }).toEqual({
      files: [],
      warnings: [],
      settings: { path: '.gitbook/recto.yaml', text: 'version: 1\n' },
    })
    await expect(own(`version: 1\n# ${'x'.repeat(300 * 1024)}`)).rejects.toThrow('.gitbook/recto.yaml cannot be read')
  })

  it('with SUMMARY.md has its order, titles, groups and links; other pages follow hidden', async () => {
    const { pages, warnings } = await convert({
      'SUMMARY.md':
        '# Contents\n\n* [Home](README.md)\n* [Out](https://x.example)\n\n## Group\n\n* [B as](b.md)\n  * [C](c%20c.md)\n* [Gone](gone.md)\n',
      'README.md': '# Title\n',
      'b.md': '# B\n',
      'c c.md': '# C\n',
      'z.md': '# Z\n',
    })
    expect(outline(pages)).toEqual(['Home', 'Out', ['Group', [['B as', ['C']]]], 'Z'])
    expect(pages.map(({ type, hidden, href }) => [type, hidden, href])).toEqual([
      ['document', undefined, undefined],
      ['link', undefined, 'https://x.example'],
      ['group', undefined, undefined],
      ['document', true, undefined],
    ])
    expect(warnings.map(({ path }) => path)).toEqual(['gone.md'])
  })

  it('keeps the first of two files of a name, and no symbolic link', async () => {
    const { pages, warnings } = await convert([
      { name: 'a.md', content: '# First' },
      { name: 'a.md', content: '# Second' },
      { name: 'link.md', content: '/etc/passwd', mode: 0o120777 },
    ])
    expect(outline(pages)).toEqual(['First'])
    expect(warnings.map(({ path }) => path)).toEqual(['a.md', 'link.md'])
  })

  it.each([
    ['leads out', { '../a.md': '# A' }, 'invalid relative path'],
    ['is absolute', { '/etc/a.md': '# A' }, 'absolute path'],
    ['has a drive', { 'C:/a.md': '# A' }, 'absolute path'],
    ['has backslashes', { '..\\a.md': '# A' }, 'invalid characters in fileName'],
  ])('with a path that %s is refused', (_what, entries: Record<string, string>, message) =>
    expect(convert(entries)).rejects.toThrow(message),
  )

  const bomb = Buffer.alloc(30_000_000)
  it.each([
    [
      'that grows too much',
      [
        { name: 'a.bin', content: bomb },
        { name: 'a.md', content: '# A' },
      ],
      {},
      'larger than',
    ],
    [
      'that grows out of proportion',
      [
        { name: 'a.bin', content: bomb },
        { name: 'a.md', content: '# A' },
      ],
      { maxBytes: 100_000_000 },
      'more than 200 times its size',
    ],
    [
      'with a lying header',
      [
        { name: 'a.bin', content: bomb, claimedSize: 5 },
        { name: 'a.md', content: '#' },
      ],
      {},
      'too many bytes',
    ],
    [
      'with too many files',
      Array.from({ length: 300 }, (_, n) => ({ name: `${n}.md`, content: '#' })),
      {},
      'more than 100',
    ],
    ['without pages', [{ name: 'a.bin', content: 'x' }], {}, 'no Markdown or HTML page'],
  ] as [string, ZipEntry[], Partial<ConvertLimits>, string][])('%s is refused', (_what, entries, limits, message) =>
    expect(convert(entries, limits)).rejects.toThrow(message),
  )

  it('that is none is refused', () =>
    expect(convertZipUrl(url, aWeb({ [url]: 'no zip' }).tools)).rejects.toMatchObject({ reason: 'invalid' }))
})

describe('a Word document', () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const heading = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>A plan</w:t></w:r></w:p>`
  const from = (bytes: Uint8Array, limits: Partial<ConvertLimits> = {}) =>
    convertDocxUrl(url, aWeb({ [url]: bytes }, limits).tools)

  it('becomes a page', async () => {
    const { pages } = await from(aDocx({ body: `${heading}${paragraph('Some text')}` }))
    expect(pages).toMatchObject([{ title: 'A plan', slug: 'a-plan', markdown: '# A plan\n\nSome text\n' }])
  })

  it.each([
    ['that is only a zip file', aZip({ 'a.md': '#' }), 'not a Word document'],
    ['that is a bomb', aDocx({ body: paragraph('a'.repeat(2_000_000)) }), 'larger than 1000000 bytes'],
  ])('%s is refused', (_what, bytes, message) => expect(from(bytes)).rejects.toThrow(message))

  it('with entities that expand has no more text than it has bytes', async () => {
    const entities =
      '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>'
    const result = await from(aDocx({ body: paragraph('&c;'), prologue: entities })).catch((error: Error) => error)
    if (!(result instanceof Error)) expect(result.pages[0]?.markdown?.length).toBeLessThan(100)
  })
})
