import type { ConvertedPage, ConvertedSet } from '@recto/convert'
import { describe, expect, it } from '@jest/globals'
import type { PageRecord } from '../revisions/records.ts'
import { type AddedPlace, addedRecords } from './added-pages.ts'

const now = '2025-01-01T00:00:00.000Z'
const page = (title: string, fields: Partial<ConvertedPage> = {}): ConvertedPage => ({
  type: 'document',
  title,
  slug: title,
  file: `${title}.md`,
  markdown: `# ${title}`,
  pages: [],
  ...fields,
})
const record = (id: string, fields: Partial<PageRecord> = {}): PageRecord => ({
  id,
  type: 'document',
  title: id,
  slug: id,
  parent: null,
  order: 'a0',
  createdAt: now,
  updatedAt: now,
  ...fields,
})
const place = (fields: Partial<AddedPlace> = {}): AddedPlace => {
  let count = 0
  return { parent: null, siblings: [], takenFiles: [], now, newId: () => `new-${++count}`, ...fields }
}
const file = (path: string): ConvertedSet['files'][number] => ({
  path,
  name: 'x.png',
  hash: 'h',
  size: 1,
  contentType: 'image/png',
})
const add = (pages: ConvertedPage[], fields: Partial<AddedPlace> = {}, files: ConvertedSet['files'] = []) =>
  addedRecords({ pages, files }, place(fields))

describe('added pages', () => {
  it('Added pages come after their siblings, in order, with slugs that are free', () => {
    const siblings = [record('a'), record('b', { order: 'a1' })]
    const { pages } = add([page('b'), page('b', { file: 'c/b.md' }), page('d')], { siblings })
    expect(pages.map(({ slug }) => slug)).toEqual(['b-2', 'b-3', 'd'])
    const orders = ['a1', ...pages.map(({ order }) => order)]
    expect([...orders].sort()).toEqual(orders)
    expect(new Set(orders).size).toBe(4)
  })

  it('Added pages have parents and documents', () => {
    const { pages, documents } = add([page('a', { pages: [page('b')] })])
    expect(pages).toMatchObject([
      { id: 'new-1', parent: null },
      { id: 'new-2', parent: 'new-1', file: 'b.md' },
    ])
    expect(documents.map(({ bytes }) => String(bytes))).toEqual(['# a', '# b'])
    expect(documents.map(({ hash }) => hash)).toEqual(pages.map(({ document }) => document))
  })

  it('Added pages keep their metadata, of icons only those that are short enough', () => {
    const { pages } = add([
      page('a', { description: 'd', icon: 'book', hidden: true }),
      page('b', { icon: 'x'.repeat(51) }),
    ])
    expect(pages[0]).toMatchObject({ description: 'd', icon: 'book', hidden: true })
    expect(pages[1]).not.toHaveProperty('icon')
  })

  it('Added pages have every setting of their front matter, with their cover', () => {
    const fields = 'if: visitor.claims.beta\nnoIndex: true\nnoRobotsIndex: true\nvars:\n  n: 1\nlayout:\n  width: wide'
    const markdown = `---\n${fields}\ncover: .gitbook/assets/x.png\n---\n\n# a\n`
    const { pages, files, documents } = add([page('a', { markdown })], {}, [file('.gitbook/assets/x.png')])
    expect(pages[0]).toMatchObject({
      condition: 'visitor.claims.beta',
      noIndex: true,
      noRobotsIndex: true,
      variables: { n: 1 },
      layout: { width: 'wide' },
      cover: { yPos: 0, ref: { kind: 'file', file: files[0]?.id } },
    })
    expect(String(documents[0]?.bytes)).toBe(markdown)
  })

  it.each([
    ['says nothing of it', '# a\n', '---\nhidden: true\n---\n\n# a\n'],
    ['has other settings', '---\nicon: book # why\n---\n# a\n', '---\nicon: book # why\nhidden: true\n---\n# a\n'],
    ['says the same', '---\nhidden: true\n---\n# a\n', '---\nhidden: true\n---\n# a\n'],
    ['has front matter that cannot be read', '---\nx: [\n---\n# a\n', '---\nx: [\n---\n# a\n'],
  ])('Added pages that the import hides are hidden in a text that %s', (_what, markdown, expectedText) => {
    const { pages, documents } = add([page('a', { markdown, hidden: true })])
    expect(pages[0]).toMatchObject({ hidden: true, document: documents[0]?.hash })
    expect(String(documents[0]?.bytes)).toBe(expectedText)
  })

  it('Added pages are groups at the root only, and links have no slug', () => {
    const group = page('g', { type: 'group' })
    expect(add([group]).pages[0]?.type).toBe('group')
    expect(add([group], { parent: record('p') }).pages[0]?.type).toBe('document')
    expect(add([page('l', { type: 'link', href: 'https://x.example' })]).pages[0]).not.toHaveProperty('slug')
  })

  it.each([
    ['at the root', {}, ''],
    ['beside others', { takenFiles: ['other.md'] }, ''],
    ['where a path is taken', { takenFiles: ['A.md'] }, 'import-2/'],
    ['where a path is taken twice', { takenFiles: ['x.png', 'import-2/a.md'] }, 'import-3/'],
    ['below a page', { parent: record('p') }, 'p/'],
    ['below a page whose folder is taken', { parent: record('p'), takenFiles: ['p/a.md'] }, 'p-2/'],
  ])('Pages that are added %s all have paths in one folder', (_where, fields: Partial<AddedPlace>, folder) => {
    const { pages, files } = add([page('a')], fields, [file('x.png')])
    expect([pages[0]?.file, files[0]?.file]).toEqual([`${folder}a.md`, `${folder}x.png`])
  })
})
