import type { SpaceTag } from '@recto/markdown'
import type { Difference } from '../../content-map/content-map.ts'
import { indexPages } from '../../pages/page-tree.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../revisions/records.ts'
import { presentChanges } from '../present-changes.ts'
import { semanticChanges } from '../semantic-changes.ts'

/** The presentation of changes for a member. */
export const presentation = {
  spaceId: 's',
  publicUrl: 'http://recto.test',
  issuedFor: undefined,
  signingSecret: ['x'.repeat(32)] as const,
  metadata: true,
}

function differencesOf<Row extends { id: string }>(before: Row[], after: Row[]): Difference<Row>[] {
  const [old, now] = [before, after].map(rows => new Map(rows.map(row => [row.id, row])))
  const ids = new Set([...before, ...after].map(({ id }) => id))
  return [...ids].reverse().flatMap(id => {
    const a = old?.get(id)
    const b = now?.get(id)
    if (JSON.stringify(a) === JSON.stringify(b)) return []
    return [{ id, ...(a && { before: a }), ...(b && { after: b }) }]
  })
}

/** The content of a revision. */
export interface Content {
  pages?: PageRecord[]
  files?: FileRecord[]
  reusable?: ReusableRecord[]
  variables?: Record<string, string | number | boolean>
  tags?: SpaceTag[]
}

/** Finds the changes between two contents. */
export function changesOf(before: Content, after: Content) {
  const [old, now] = [before, after].map(({ pages = [] }) => pages)
  return semanticChanges(
    {
      pages: {
        before: indexPages(old ?? []),
        after: indexPages(now ?? []),
        differences: differencesOf(old ?? [], now ?? []),
      },
      files: differencesOf(before.files ?? [], after.files ?? []),
      reusable: differencesOf(before.reusable ?? [], after.reusable ?? []),
      variables: { before: before.variables ?? {}, after: after.variables ?? {} },
      tags: { before: before.tags ?? [], after: after.tags ?? [] },
    },
    presentation,
  )
}

/** Presents the changes between two contents. */
export const presentDifference = (before: Content, after: Content) =>
  presentChanges(changesOf(before, after), { ...presentation, limit: 100 }).changes
