import type { JSONDocument } from '@recto/markdown'
import { fieldFault } from '@recto/operation'
import pMap from 'p-map'
import { documentOf } from '../documents/documents.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import { fewAtOnce } from '../lists/few-at-once.ts'
import { documentsByHash } from '../content-store/content.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { CommentTarget } from './comment.entity.ts'
import { findNode, hasCell, targetNode } from './comment-target.rules.ts'

/** The target of a comment, as a caller gives it. */
export interface GivenTarget {
  page?: string | undefined
  node?: string | undefined
  tableCell?: { record: string; definition: string } | undefined
}

/** Locates the target of a comment in a revision; throws `invalid_request` for a part of no page, and `not_found` for a target that is not there. */
export async function targetIn(
  revision: RevisionRow,
  { page: pageId, node: nodeId, tableCell }: GivenTarget,
  context: Context,
): Promise<CommentTarget> {
  if (pageId === undefined) {
    if (nodeId !== undefined) throw fieldFault('body.node', 'needs the page that it is in')
    if (tableCell) throw fieldFault('body.tableCell', 'needs the page that it is in')
    return {}
  }
  const index = await loadCommentedPages(context.db, revision)
  const record = index.get(pageId)
  if (!record) throw fieldFault('body.page', 'is not a page of this content', 'not_found')
  const page = pageTarget(record, index)
  if (nodeId === undefined && !tableCell) return { page }
  const document = (await documentsOf([record], context)).get(record.id)
  const node = document && nodeId !== undefined ? findNode(document, nodeId) : undefined
  if (nodeId !== undefined && !node) throw fieldFault('body.node', 'is not in the page', 'not_found')
  if (tableCell && !(document && hasCell(document, { tableCell, node: nodeId })))
    throw fieldFault('body.tableCell', 'is not in the page', 'not_found')
  return {
    page,
    ...(node && nodeId !== undefined && { node: targetNode(node, nodeId) }),
    ...(tableCell && { tableCell }),
  }
}

/** The pages that comments can be on. */
export type CommentedPages = Pick<PageIndex, 'get' | 'pathOf'>

/** The pages of a revision that comments can be on: those that it has, computed pages, and declarations of computed pages. */
export async function loadCommentedPages(db: Context['db'], revision: RevisionRow): Promise<CommentedPages> {
  const readerTree = await loadShownPages(db, revision)
  const storedTree = await loadPageIndex(db, revision)
  return {
    get: id => readerTree.get(id) ?? storedTree.get(id),
    pathOf: id => (readerTree.get(id) ? readerTree : storedTree).pathOf(id),
  }
}

/** A page as a comment on it shows it. */
export function pageTarget(record: PageRecord, index: CommentedPages): NonNullable<CommentTarget['page']> {
  const { id, title, emoji, icon, createdAt, updatedAt, document } = record
  return {
    id,
    title,
    path: index.pathOf(id),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(document !== undefined && { document }),
  }
}

/** The documents of pages, by the id of the page; pages without text have none. */
export async function documentsOf(
  pages: readonly PageRecord[],
  { db, markdown }: Context,
): Promise<Map<string, JSONDocument>> {
  const bytesOf = await documentsByHash(db, [...new Set(pages.flatMap(({ document }) => document ?? []))])
  const documents = await pMap(
    pages,
    async ({ id, title, document: hash }) => {
      const bytes = hash === undefined ? undefined : bytesOf.get(hash)
      return hash === undefined || !bytes ? [] : [[id, await documentOf(markdown, { hash, bytes, title })] as const]
    },
    fewAtOnce,
  )
  return new Map(documents.flat())
}
