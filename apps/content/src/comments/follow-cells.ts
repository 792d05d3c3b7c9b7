import type { JSONDocument } from '@recto/markdown'
import type { Context } from '../shared/context.ts'
import type { PageRecord } from '../revisions/records.ts'
import { type CommentedPages, loadDocuments } from './comment-target.ts'
import { dependsOnText } from './comment-target.rules.ts'
import type { CommentTarget } from './comment.entity.ts'
import { type FollowedCell, followCell, isPlaceId } from './table-cell.rules.ts'

/** The current pages, and the documents that were loaded of them, by the id of the page. */
export interface CurrentTexts {
  index: CommentedPages
  documents: Map<string, JSONDocument>
}

/** Whether a comment's target is a cell whose ids may have changed. */
export function isCellFollowed(target: CommentTarget, now: PageRecord): boolean {
  return target.tableCell !== undefined && (dependsOnText(target, now) || isPlaceId(target.tableCell))
}

/**
 * Finds the current cells of targets; undefined for a target without a cell, and for a cell that is gone. Reads the texts that were
 * commented on, each once.
 */
export async function followCells(
  targets: CommentTarget[],
  { index, documents }: CurrentTexts,
  context: Context,
): Promise<(FollowedCell | undefined)[]> {
  const targetsToFollow = targets.filter(({ page, ...target }) => {
    const now = page && index.get(page.id)
    return now && isCellFollowed({ page, ...target }, now)
  })
  if (targetsToFollow.length === 0) return targets.map(() => undefined)
  const texts = new Map(targetsToFollow.flatMap(({ page }) => (page ? [[textKey(page), page] as const] : [])))
  const pages = [...texts].map(([id, { title, document }]) => ({ id, title, document }) as PageRecord)
  const before = await loadDocuments(pages, context)
  const followable = new Set(targetsToFollow)
  return targets.map(target => {
    const { page, node, tableCell } = target
    if (!page || !tableCell || !followable.has(target)) return undefined
    const from = before.get(textKey(page))
    const to = documents.get(page.id)
    return from && to && followCell(from, to, { tableCell, node: node?.id })
  })
}

/** The key of the text that a target is in: two targets in the same text have the same key. The title is part of the text. */
function textKey({ title, document }: NonNullable<CommentTarget['page']>): string {
  return `${document} ${title}`
}
