import type { RevisionChange } from '@recto/contracts'
import type { z } from 'zod'
import type { PageIndex } from '../../pages/page-tree.ts'
import { canonicalJson, type Difference } from '../../store/content-map/content-map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../store/revisions/records.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'

type Change = z.input<typeof RevisionChange>
type Attributes = Record<string, { before?: unknown; after?: unknown }>
type Trees = Record<'before' | 'after', PageIndex>

const editable = [
  ...(['title', 'description', 'slug', 'document', 'cover', 'emoji', 'icon', 'layout', 'variables'] as const),
  ...(['hidden', 'noIndex', 'noRobotsIndex', 'condition', 'computed'] as const),
]

/** What happened to pages: those that are there now in the order of their tree, then deleted ones. One that was moved and edited has both. */
export function pageChanges(differences: Difference<PageRecord>[], trees: Trees): Change[] {
  const places = new Map(trees.after.inOrder().map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: { id: string }) => places.get(id) ?? places.size
  const inOrder = [...differences].sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1))
  return inOrder.flatMap(({ before, after }) => pageChange(before, after, trees))
}

function pageChange(before: PageRecord | undefined, after: PageRecord | undefined, trees: Trees): Change[] {
  if (!after) return before ? [{ type: 'page_deleted', page: changedPage(before, trees.before) }] : []
  const page = changedPage(after, trees.after)
  if (!before) return [{ type: 'page_created', page }]
  const attributes = {
    ...changedAttributes(before, after, editable),
    ...(before.href !== after.href && { target: beforeAndAfter(urlOf(before), urlOf(after)) }),
  }
  const isMoved = before.parent !== after.parent || before.order !== after.order
  const parent = beforeAndAfter(parentOf(before, trees.before), parentOf(after, trees.after))
  return [
    ...(isMoved ? [{ type: 'page_moved' as const, page, parent }] : []),
    ...(Object.keys(attributes).length > 0 ? [{ type: 'page_edited' as const, page, attributes }] : []),
  ]
}

function changedPage({ id, type, title, slug }: PageRecord, tree: PageIndex) {
  return { id, type, title, ...(slug !== undefined && { path: tree.pathOf(id) }) }
}

function parentOf({ parent }: PageRecord, tree: PageIndex) {
  const record = parent === null ? undefined : tree.get(parent)
  return record && changedPage(record, tree)
}

function urlOf({ href }: PageRecord) {
  return href === undefined ? undefined : { kind: 'url', url: href }
}

/** A file as it is shown, with a URL of its bytes. */
export type PresentFile = (file: FileRecord) => { id: string; name: string; contentType: string; downloadURL: string }

/** What happened to files, by name. */
export function fileChanges(differences: Difference<FileRecord>[], present: PresentFile): Change[] {
  return byName(differences, ({ name }) => name).flatMap(({ before, after }): Change[] => {
    if (!after) return before ? [{ type: 'file_deleted', file: present(before) }] : []
    const file = present(after)
    if (!before) return [{ type: 'file_created', file }]
    const attributes: Attributes = {
      ...changedAttributes(before, after, ['name', 'size', 'contentType', 'dimensions']),
      ...(before.hash !== after.hash && { downloadURL: beforeAndAfter(present(before).downloadURL, file.downloadURL) }),
    }
    return Object.keys(attributes).length > 0 ? [{ type: 'file_edited', file, attributes }] : []
  })
}

/** What happened to reusable contents, by title. */
export function reusableChanges(differences: Difference<ReusableRecord>[]): Change[] {
  const present = ({ id, title, document }: ReusableRecord) => ({ id, title, document })
  return byName(differences, ({ title }) => title).flatMap(({ before, after }): Change[] => {
    if (!after) return before ? [{ type: 'reusable_content_deleted', reusableContent: present(before) }] : []
    if (!before) return [{ type: 'reusable_content_created', reusableContent: present(after) }]
    const attributes = changedAttributes(before, after, ['title', 'document'])
    const isEdited = Object.keys(attributes).length > 0
    return isEdited ? [{ type: 'reusable_content_edited', reusableContent: present(after), attributes }] : []
  })
}

/** Which variables of the space got other values. */
export function variableChanges(before: RevisionRow['variables'], after: RevisionRow['variables']): Change[] {
  const variables = changedAttributes(
    before,
    after,
    [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(),
  )
  return Object.keys(variables).length > 0 ? [{ type: 'variables_edited', variables }] : []
}

function changedAttributes<Row extends object>(
  before: Row,
  after: Row,
  names: readonly (keyof Row & string)[],
): Attributes {
  const isSame = (name: keyof Row) => canonicalJson([before[name] ?? null]) === canonicalJson([after[name] ?? null])
  const changed = names.filter(name => !isSame(name))
  return Object.fromEntries(changed.map(name => [name, beforeAndAfter(before[name], after[name])]))
}

function beforeAndAfter<Value>(before: Value, after: Value) {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) } as {
    before?: NonNullable<Value>
    after?: NonNullable<Value>
  }
}

function byName<Row>(differences: Difference<Row>[], nameOf: (row: Row) => string): Difference<Row>[] {
  const key = ({ before, after }: Difference<Row>) => {
    const row = after ?? before
    return row ? nameOf(row) : ''
  }
  return [...differences].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
