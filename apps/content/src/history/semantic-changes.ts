import { byKey } from '@recto/database'
import type { Presentation } from '../pages/present-page.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { FileRecord, ReusableRecord } from '../revisions/records.ts'
import type { SpaceTag } from '@recto/markdown'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { type Changed, changedAttributes } from './changed-attributes.ts'
import { type TagChange, tagChanges } from './tag-changes.rules.ts'
import { type PageChange, pageChanges, type PageComparison } from './page-changes.rules.ts'

type Variables = RevisionRow['variables']

/** The differences between two revisions. */
export interface RevisionComparison {
  pages: PageComparison
  files: Difference<FileRecord>[]
  reusable: Difference<ReusableRecord>[]
  variables: { before: Variables; after: Variables }
  tags: { before: readonly SpaceTag[]; after: readonly SpaceTag[] }
}

/** A file or reusable content that is created, deleted or edited between two revisions. */
type RecordChange<Kind extends string, Row> =
  { type: `${Kind}_created` | `${Kind}_deleted`; record: Row } | { type: `${Kind}_edited`; record: Row; before: Row }

/** One change between two revisions; records are presented later, since URLs of files are signed. */
export type SemanticChange =
  | PageChange
  | RecordChange<'file', FileRecord>
  | RecordChange<'reusable_content', ReusableRecord>
  | { type: 'variables_edited'; variables: Record<string, Changed<Variables[string]>> }
  | TagChange

/** Lists all changes between two revisions: of pages, then of files by name, of reusable contents by title, of variables, and of tags. */
export function semanticChanges(comparison: RevisionComparison, presentation: Presentation): SemanticChange[] {
  const { pages, files, reusable, variables, tags } = comparison
  const changedVariables = changedAttributes(variables.before, variables.after) as Record<
    string,
    Changed<Variables[string]>
  >
  return [
    ...pageChanges(pages, presentation),
    ...recordChanges(files, { kind: 'file', keyOf: ({ name, id }) => [name, id], fieldsOf: fileFields }),
    ...recordChanges(reusable, {
      kind: 'reusable_content',
      keyOf: ({ title, id }) => [title, id],
      fieldsOf: reusableFields,
    }),
    ...(Object.keys(changedVariables).length > 0
      ? [{ type: 'variables_edited' as const, variables: changedVariables }]
      : []),
    ...tagChanges(tags),
  ]
}

/** The fields of a file that its changes compare; the hash stands for its bytes. */
export function fileFields({ name, hash, size, contentType, dimensions }: FileRecord) {
  return { name, hash, size, contentType, dimensions }
}

/** The fields of a reusable content that its changes compare. */
export function reusableFields({ title, document }: ReusableRecord) {
  return { title, document }
}

interface RecordRules<Kind extends string, Row> {
  kind: Kind
  keyOf(record: Row): string[]
  fieldsOf(record: Row): Record<string, unknown>
}

function recordChanges<Kind extends string, Row>(
  differences: Difference<Row>[],
  { kind, keyOf, fieldsOf }: RecordRules<Kind, Row>,
): RecordChange<Kind, Row>[] {
  const changes = differences.flatMap(({ before, after }): RecordChange<Kind, Row>[] => {
    if (!after) return before ? [{ type: `${kind}_deleted`, record: before }] : []
    if (!before) return [{ type: `${kind}_created`, record: after }]
    const isEdited = Object.keys(changedAttributes(fieldsOf(before), fieldsOf(after))).length > 0
    return isEdited ? [{ type: `${kind}_edited`, record: after, before }] : []
  })
  return changes.sort(byKey(({ record }) => keyOf(record)))
}
