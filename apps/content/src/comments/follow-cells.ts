import type { JSONDocument } from '@recto/markdown'
import type { Context } from '../shared/context.ts'
import type { PageRecord } from '../revisions/records.ts'
import { type CommentedPages, documentsOf } from './comment-target.ts'
import { dependsOnText } from './comment-target.rules.ts'
import type { CommentTarget } from './comment.entity.ts'
import { type FollowedCell, followCell, isPlaceId } from './table-cell.rules.ts'

/** Pages as they are now, with the documents that were read of them, by the id of the page. */
export interface CurrentTexts {
  index: CommentedPages
  documents: Map<string, JSONDocument>
}

/** Whether a comment is about a cell that may have other ids now. */
export function isCellFollowed(target: CommentTarget, now: PageRecord): boolean {
  return target.tableCell !== undefined && (dependsOnText(target, now) || isPlaceId(target.tableCell))
}

/** Where the cells of some targets are now; undefined for a target without cell, and for a cell that is gone. Reads the texts that were commented on, each once. */
export async function followCells(
  targets: CommentTarget[],
  { index, documents }: CurrentTexts,
  context: Context,
): Promise<(FollowedCell | undefined)[]> {
  const followed = targets.filter(({ page, ...target }) => {
    const now = page && index.get(page.id)
    return now && isCellFollowed({ page, ...target }, now)
  })
  if (followed.length === 0) return targets.map(() => undefined)
  const texts = new Map(followed.flatMap(({ page }) => (page ? [[textKey(page), page] as const] : [])))
  const pages = [...texts].map(([id, { title, document }]) => ({ id, title, document }) as PageRecord)
  const before = await documentsOf(pages, context)
  const isRead = new Set(followed)
  return targets.map(target => {
    const { page, node, tableCell } = target
    if (!page || !tableCell || !isRead.has(target)) return undefined
    const from = before.get(textKey(page))
    const to = documents.get(page.id)
    return from && to && followCell(from, to, { tableCell, node: node?.id })
  })
}

/** The same for targets in the same text, which its title is part of. */
function textKey({ title, document }: NonNullable<CommentTarget['page']>): string {
  return `${document} ${title}`
}
