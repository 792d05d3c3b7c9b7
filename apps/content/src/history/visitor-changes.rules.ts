import type { MainContentChange } from '@recto/contracts-content'
import type { AudienceReference } from '@recto/audience'
import type { z } from 'zod'
import type { PageIndex } from '../pages/page-tree.ts'
import { presentPageRef } from './page-changes.rules.ts'
import type { SemanticChange } from './semantic-changes.ts'

type PresentedChange = z.input<typeof MainContentChange>

/** The content of two revisions, as a visitor sees it. */
export interface VisitorComparison {
  /** All changes between the revisions. */
  changes: readonly SemanticChange[]
  /** The pages that the visitor saw, by the conditions of then. */
  before: Pick<PageIndex, 'inOrder' | 'pathOf'>
  /** The pages that the visitor sees. */
  after: PageIndex
  /** The references of the newer revision, by the page or reusable content that has them. */
  references: ReadonlyMap<string, readonly AudienceReference[]>
}

/**
 * Selects the changes that a visitor learns of, who is told nothing of how content was before:
 *
 * | a page                                                            | listed as                  |
 * | ----------------------------------------------------------------- | -------------------------- |
 * | seen now and not before, because it is new or a condition changed | `page_created`             |
 * | seen before and not now, because it is gone or a condition changed | `page_removed`, by its id |
 * | seen now and before, with another parent, place or path           | `page_moved`, to its place |
 * | seen now and before, with other fields or another text            | `page_edited`, without fields |
 * | the same, with a reusable content that changed, also within others | `page_edited`             |
 * | any other                                                         | not at all                 |
 *
 * A page is seen that the navigation shows. Other variables are listed without their names and values, and so are tags: either can concern
 * every page.
 */
export function visitorChanges({ changes, before, after, references }: VisitorComparison): PresentedChange[] {
  const wasListed = listedIds(before)
  const isListed = listedIds(after)
  const moved = idsOf(changes, 'page_moved')
  const edited = idsOf(changes, 'page_edited')
  const isAffected = affectedBy(changedReusables(changes), references)
  const current = after.inOrder().flatMap((record): PresentedChange[] => {
    const { id } = record
    if (!isListed.has(id)) return []
    const page = presentPageRef(record, after)
    if (!wasListed.has(id)) return [{ type: 'page_created', page }]
    const parentRecord = record.parent === null ? undefined : after.get(record.parent)
    const parent = parentRecord ? { after: presentPageRef(parentRecord, after) } : {}
    return [
      ...(moved.has(id) || before.pathOf(id) !== after.pathOf(id)
        ? [{ type: 'page_moved' as const, page, parent }]
        : []),
      ...(edited.has(id) || isAffected(id) ? [{ type: 'page_edited' as const, page, attributes: {} }] : []),
    ]
  })
  const removedIds = [...wasListed].filter(id => !isListed.has(id))
  return [
    ...current,
    ...removedIds.map(id => ({ type: 'page_removed' as const, page: { id } })),
    ...(changes.some(({ type }) => type === 'variables_edited' || type.startsWith('tag_'))
      ? [{ type: 'variables_edited' as const, variables: {} }]
      : []),
  ]
}

/** The ids of pages that the navigation shows: those that are hidden, and all below them, are read by their address alone. */
function listedIds(index: Pick<PageIndex, 'inOrder'>): Set<string> {
  const listed = new Set<string>()
  for (const { id, parent, hidden } of index.inOrder())
    if (hidden !== true && (parent === null || listed.has(parent))) listed.add(id)
  return listed
}

function idsOf(changes: readonly SemanticChange[], type: 'page_moved' | 'page_edited'): Set<string> {
  return new Set(changes.flatMap(change => (change.type === type ? [change.page.id] : [])))
}

function changedReusables(changes: readonly SemanticChange[]): Set<string> {
  return new Set(
    changes.flatMap(change =>
      change.type === 'reusable_content_created' ||
      change.type === 'reusable_content_edited' ||
      change.type === 'reusable_content_deleted'
        ? [change.record.id]
        : [],
    ),
  )
}

/** Returns whether a page includes one of some reusable contents, itself or within others. */
export function affectedBy(
  reusables: ReadonlySet<string>,
  references: VisitorComparison['references'],
): (id: string) => boolean {
  if (reusables.size === 0) return () => false
  const includes = (source: string) =>
    (references.get(source) ?? []).flatMap(({ target }) => (target.kind === 'reusable-content' ? [target.id] : []))
  return page => {
    const seen = new Set<string>()
    const pending = includes(page)
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (reusables.has(id)) return true
      if (seen.has(id)) continue
      seen.add(id)
      pending.push(...includes(id))
    }
    return false
  }
}
