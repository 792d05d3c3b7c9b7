import type { JSONDocument } from '@recto/markdown'
import { fieldFault } from '@recto/operation'
import pMap from 'p-map'
import { documentOf } from '../documents/documents.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { documentsByHash } from '../content-store/content.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { CommentTarget } from './comment.entity.ts'
import { findNode, hasCell, targetNode } from './comment-target.rules.ts'

/** The target of a comment in a request. */
export interface TargetInput {
  page?: string | undefined
  node?: string | undefined
  tableCell?: { record: string; definition: string } | undefined
}

/** Locates the target of a comment in a revision; throws `invalid_request` for a part without its page, and `not_found` for a missing target. */
export async function locateTarget(
  revision: RevisionRow,
  { page: pageId, node: nodeId, tableCell }: TargetInput,
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
  const document = (await loadDocuments([record], context)).get(record.id)
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

/** Looks up the pages that comments can be on. */
export type CommentedPages = Pick<PageIndex, 'get' | 'pathOf'>

/** Loads the pages of a revision that comments can be on: its pages, computed pages, and declarations of computed pages. */
export async function loadCommentedPages(db: Context['db'], revision: RevisionRow): Promise<CommentedPages> {
  const readerTree = await loadShownPages(db, revision)
  const storedTree = await loadPageIndex(db, revision)
  return {
    get: id => readerTree.get(id) ?? storedTree.get(id),
    pathOf: id => (readerTree.get(id) ? readerTree : storedTree).pathOf(id),
  }
}

/** The fields of a page that a comment on it stores and shows. */
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

/** Loads the documents of pages, by the id of the page; pages without text are left out. */
export async function loadDocuments(
  pages: readonly PageRecord[],
  { db, markdown }: Context,
): Promise<Map<string, JSONDocument>> {
  const bytesByHash = await documentsByHash(db, [...new Set(pages.flatMap(({ document }) => document ?? []))])
  const documents = await pMap(
    pages,
    async ({ id, title, document: hash }) => {
      const bytes = hash === undefined ? undefined : bytesByHash.get(hash)
      return hash === undefined || !bytes ? [] : [[id, await documentOf(markdown, { hash, bytes, title })] as const]
    },
    requestConcurrency,
  )
  return new Map(documents.flat())
}
