import { describe, expect, it } from '@jest/globals'
import type { MainChange } from '../projection/main-change.ts'
import { isTreeDifference } from '../projection/main-change.ts'
import { indexPages } from '../pages/page-tree.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { collectAffected, lastName } from './overlay.rules.ts'

type PageFields = Partial<PageRecord> & { id: string }
const page = (fields: PageFields): PageRecord => ({
  type: 'document',
  title: fields.id,
  parent: null,
  order: `a${fields.id}`,
  slug: fields.id,
  document: `text of ${fields.id}`,
  createdAt: '',
  updatedAt: '',
  ...fields,
})
const git = (path: string) => ({ git: { path, oid: '' } })
const file = (path: string): FileRecord => ({
  id: 'file',
  name: 'f',
  hash: '',
  size: 1,
  contentType: 'text/plain',
  ...git(path),
})
const note = (document: string, path: string): ReusableRecord => ({ id: 'note', title: 'n', document, ...git(path) })

function differencesOf<Row extends { id: string }>(before: Row[], after: Row[]): Difference<Row>[] {
  const ids = new Set([...before, ...after].map(({ id }) => id))
  return [...ids].flatMap(id => {
    const [a, b] = [before, after].map(rows => rows.find(row => row.id === id))
    if (JSON.stringify(a) === JSON.stringify(b)) return []
    return [{ id, ...(a && { before: a }), ...(b && { after: b }) }]
  })
}

interface Content {
  pages?: PageFields[]
  files?: FileRecord[]
  reusable?: ReusableRecord[]
  root?: string
}

function changeOf(from: Content, to: Content): MainChange {
  const [before, after] = [from, to].map(({ pages = [] }) => pages.map(page))
  const pages = differencesOf(before ?? [], after ?? [])
  const fileDifferences = differencesOf(from.files ?? [], to.files ?? [])
  const reusableDifferences = differencesOf(from.reusable ?? [], to.reusable ?? [])
  return {
    spaceId: 's',
    isFirst: false,
    pages,
    fileDifferences,
    reusableDifferences,
    before: indexPages(before ?? []),
    after: indexPages(after ?? []),
    files: { inOrder: to.files ?? [], get: () => undefined },
    reusable: to.reusable ?? [],
    revision: { configuration: { root: to.root ?? '', readme: '', summary: '', redirects: {} } } as RevisionRow,
    specs: new Set(),
    isTreeChanged: pages.some(isTreeDifference),
    areFilesChanged: fileDifferences.length > 0,
  }
}

const nothing = { affectsAll: false, hidden: [], moved: [], targets: [], names: [] }
const b: PageFields = { id: 'b', parent: 'a' }

describe('what a change can affect', () => {
  it.each<[string, Content, Content, Partial<ReturnType<typeof collectAffected>>]>([
    ['a title', { pages: [{ id: 'a' }] }, { pages: [{ id: 'a', title: 'T' }] }, {}],
    ['a text', { pages: [{ id: 'a' }] }, { pages: [{ id: 'a', document: 'x' }] }, { hidden: ['a'], targets: ['a'] }],
    [
      'a page more',
      { pages: [] },
      { pages: [{ id: 'a', ...git('x/y.md') }] },
      { hidden: ['a'], targets: ['a'], names: ['y', 'a'] },
    ],
    [
      'a README less',
      { pages: [{ id: 'a', ...git('x/README.md') }] },
      { pages: [] },
      { hidden: ['a'], targets: ['a'], names: ['README', 'x', 'a'] },
    ],
    [
      'a slug, with the pages below; those without file have another one',
      { pages: [{ id: 'a', ...git('a.md') }, b] },
      { pages: [{ id: 'a', slug: 'n', ...git('a.md') }, b] },
      { moved: ['b'], targets: ['a', 'b'], names: ['a', 'n', 'b'] },
    ],
    [
      'the file of a page whose text stays',
      { pages: [{ id: 'a', ...git('a.md') }] },
      { pages: [{ id: 'a', ...git('x/c.md') }] },
      { moved: ['a'], targets: ['a'], names: ['a', 'c'] },
    ],
    ['a file more', { files: [] }, { files: [file('x/f.txt')] }, { targets: ['file'], names: ['f.txt', 'file'] }],
    ['the bytes of a file', { files: [file('f')] }, { files: [{ ...file('f'), hash: 'h' }] }, {}],
    [
      'the text of a reusable content',
      { reusable: [note('x', 'n.md')] },
      { reusable: [note('y', 'n.md')] },
      { hidden: ['note'], targets: ['note'] },
    ],
    [
      'the file of a reusable content',
      { reusable: [note('x', 'n.md')] },
      { reusable: [note('x', 'm.md')] },
      { moved: ['note'], targets: ['note'], names: ['n', 'm', 'note'] },
    ],
    ['the root', { root: 'docs' }, { root: 'manual' }, { affectsAll: true }],
  ])('collectAffected finds the references that a change can affect: %s', (_what, from, to, expected) =>
    expect(collectAffected(changeOf(from, to), from.root ?? '')).toEqual({ ...nothing, ...expected }),
  )
})

it.each([
  ['a/b.md', 'b'],
  ['a/README.md', 'README'],
  ['a/b', 'b'],
  ['f.txt', 'f.txt'],
  ['', ''],
])('The last name of %j is %j', (path, name) => expect(lastName(path)).toBe(name))
