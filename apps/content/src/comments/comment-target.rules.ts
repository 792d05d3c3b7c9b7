import { createHash } from 'node:crypto'
import { type DocumentNode, type JSONDocument, textOf } from '@recto/markdown'
import type { PageRecord } from '../revisions/records.ts'
import type { CommentTarget } from './comment.entity.ts'

/** Length of a preview, in characters. */
const previewLength = 300

type Element = DocumentNode | NonNullable<Extract<DocumentNode, { object: 'block' }>['fragments']>[number]

/** Finds the node of a document by its key or its id. */
export function findNode({ nodes }: Pick<JSONDocument, 'nodes'>, id: string): Element | undefined {
  return elementsOf(nodes).find(node => node.key === id || ('meta' in node && node.meta?.id === id))
}

/** Makes a comment's target of a node: its preview and the hash of its whole text. */
export function targetNode(node: Element, id: string): NonNullable<CommentTarget['node']> {
  // Text of references that were not resolved contains NUL, which the database does not store.
  const text = textOf({ object: 'document', data: { schemaVersion: 0 }, nodes: [node as never] }).replaceAll('\0', '')
  const hash = createHash('sha256').update(text).digest('base64url')
  return { id, preview: Array.from(text).slice(0, previewLength).join(''), hash }
}

/** Whether a table of a document, or of one of its nodes, has the cell. */
export function hasCell(
  document: Pick<JSONDocument, 'nodes'>,
  { tableCell, node }: Pick<CommentTarget, 'tableCell'> & { node?: string | undefined },
): boolean {
  const elements =
    node === undefined
      ? elementsOf(document.nodes)
      : elementsOf([findNode(document, node)].flatMap(element => element ?? []))
  return elements.some(element => {
    const { records, definition } = ('data' in element ? (element.data ?? {}) : {}) as Record<
      string,
      object | undefined
    >
    return (
      tableCell !== undefined &&
      element.object === 'block' &&
      element.type === 'table' &&
      Object.hasOwn(records ?? {}, tableCell.record) &&
      Object.hasOwn(definition ?? {}, tableCell.definition)
    )
  })
}

/** Whether the current text of the page is needed to present the target: the target is a part of a page whose text has changed. */
export function dependsOnText({ page, node, tableCell }: CommentTarget, now: PageRecord | undefined): boolean {
  return now !== undefined && (node ?? tableCell) !== undefined && now.document !== page?.document
}

/**
 * Whether the target of a comment has changed: its page is gone, its block has another text, or its cell was not found (see
 * `followCell`). A comment on a whole page stays up to date while its text changes.
 */
export function isTargetOutdated(
  target: CommentTarget,
  {
    page,
    document,
    isCellThere = false,
  }: { page: PageRecord | undefined; document: JSONDocument | undefined; isCellThere?: boolean },
): boolean {
  if (!target.page) return false
  if (!page) return true
  if (!dependsOnText(target, page)) return false
  if (!document) return true
  if (target.tableCell) return !isCellThere
  const { node } = target
  const element = node && findNode(document, node.id)
  return node !== undefined && (!element || targetNode(element, node.id).hash !== node.hash)
}

/** All nodes and fragments of a document. */
export function elementsOf(nodes: readonly Element[]): Element[] {
  const elements: Element[] = []
  let level = [...nodes]
  while (level.length > 0) {
    elements.push(...level)
    level = level.flatMap(node => ('nodes' in node || 'fragments' in node ? childrenOf(node) : []))
  }
  return elements
}

function childrenOf(node: { nodes?: Element[]; fragments?: Element[] } | Element): Element[] {
  const { nodes = [], fragments = [] } = node as { nodes?: Element[]; fragments?: Element[] }
  return [...nodes, ...fragments]
}
