import { expect } from '@jest/globals'
import type { PageRecord } from '../../revisions/records.ts'
import type { Resolution } from '../conflict.ts'
import { contentOf, mergeContents, page, texts, withText } from './contents.ts'

type Pages = PageRecord[]
export type Edit = (page: PageRecord) => PageRecord

/** A change of pages: each named page gets another record, or is deleted with null; new pages are added. */
function applyEdits(pages: Pages, edits: Record<string, Edit | PageRecord | null>): Pages {
  const of = (id: string, before: PageRecord | undefined): Pages => {
    const edit = edits[id]
    if (edit === undefined) return before ? [before] : []
    if (edit === null) return []
    return typeof edit === 'function' ? (before ? [edit(before)] : []) : [edit]
  }
  const pageIds = new Set(pages.map(({ id }) => id))
  const addedIds = Object.keys(edits).filter(id => !pageIds.has(id))
  return [...pages.flatMap(each => of(each.id, each)), ...addedIds.flatMap(id => of(id, undefined))]
}

export const set =
  (fields: Partial<PageRecord>): Edit =>
  before => ({ ...before, ...fields })
export const write =
  (text: string): Edit =>
  before =>
    withText(before, text)

export const text = '# Heading\n\nFirst.\n\nSecond.\n\nThird.\n'
export const settings = '---\ndescription: Old\nlayout:\n  width: wide\nicon: leaf\n---\n\n# Heading\n\nFirst.\n'

/** a, with b below it, with c below that; d; a group g with e; a link. */
const base: Pages = [
  page('a', { text }),
  page('b', { text, parent: 'a' }),
  page('c', { text, parent: 'b' }),
  page('d', { text: settings }),
  page('g', { type: 'group' }),
  page('e', { text, parent: 'g' }),
  page('h', { text, git: { path: 'H.md', oid: 'oid-h' }, createdAt: '2025-01-01T00:00:00.000Z' }),
  (({ slug: _slug, ...link }) => link)(page('link', { type: 'link', href: 'https://a.test' })),
]

export type Edits = Record<string, Edit | PageRecord | null>

export function mergePages(main: Edits, changeRequest: Edits, resolutions?: Resolution[]) {
  const contents = { base, main: applyEdits(base, main), changeRequest: applyEdits(base, changeRequest) }
  return mergeContents(
    {
      base: contentOf({ pages: contents.base }),
      main: contentOf({ pages: contents.main }),
      changeRequest: contentOf({ pages: contents.changeRequest }),
    },
    resolutions,
  )
}

export const newPage = (id: string, fields: Parameters<typeof page>[1] = {}) =>
  page(id, { text: `# ${id}\n`, ...fields })
export const markdown = (record: PageRecord | undefined) => texts.get(record?.document ?? '')

/** A conflict of two edits, with the result of taking each side. */
export interface ConflictCase {
  conflict: { kind: string; [field: string]: unknown }
  /** Conflicts of the page; one by default. */
  count?: number
  main: Record<string, object | null>
  changeRequest: Record<string, object | null>
}

/** Expects the conflicts of one page, and that taking a side settles it. */
export function expectConflict(main: Edits, changeRequest: Edits, expected: ConflictCase): void {
  const { conflicts } = mergePages(main, changeRequest)
  expect(conflicts).toHaveLength(expected.count ?? 1)
  const { kind } = expected.conflict
  expect(conflicts.find(conflict => conflict.kind === kind)).toMatchObject(expected.conflict)
  const subject = { page: conflicts[0]?.page ?? '' }
  for (const [take, result] of [
    ['main', expected.main],
    ['change-request', expected.changeRequest],
  ] as const) {
    const resolved = mergePages(main, changeRequest, [{ ...subject, take }])
    expect([resolved.conflicts, resolved.refused]).toEqual([[], []])
    expectPages(resolved.content.pages, result)
  }
}

/** Expects pages with some fields; null for none. */
export function expectPages(pages: ReadonlyMap<string, PageRecord>, expected: Record<string, object | null>): void {
  for (const [id, fields] of Object.entries(expected))
    if (fields === null) expect(pages.get(id)).toBeUndefined()
    else expect(pages.get(id)).toMatchObject(fields)
}
