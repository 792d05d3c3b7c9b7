import type { DocumentBlock, JSONDocument } from '@recto/markdown/schema'
import type { ChangeComment } from '../../api/types.ts'
import type { Marks } from '../model/mark.ts'

/** Comments in their places: behind blocks, and those whose block is not there. */
export interface PlacedComments {
  comments: Map<object, ChangeComment[]>
  others: ChangeComment[]
}

type Element =
  DocumentBlock | NonNullable<DocumentBlock['nodes']>[number] | NonNullable<DocumentBlock['fragments']>[number]

/**
 * Places the comments of a page behind the blocks at the top of its document that they are about, or in which that is. Blocks that only
 * the other side has are no such place, and what has changed since the comment is not there any more.
 */
export function placeComments(
  comments: readonly ChangeComment[],
  { document, marks }: { document: JSONDocument; marks: Marks },
): PlacedComments {
  const blocks = new Map<string, DocumentBlock>()
  for (const block of document.nodes) for (const id of idsIn(block, marks)) if (!blocks.has(id)) blocks.set(id, block)
  const placement: PlacedComments = { comments: new Map(), others: [] }
  for (const comment of comments) {
    const block = comment.node && !comment.outdated ? blocks.get(comment.node.id) : undefined
    if (!block) placement.others.push(comment)
    else placement.comments.set(block, [...(placement.comments.get(block) ?? []), comment])
  }
  return placement
}

/** The keys and ids of a block, and of all in it, that the newer side has. */
function idsIn(block: DocumentBlock, marks: Marks): string[] {
  const ids: string[] = []
  const elements: Element[] = [block]
  for (const element of elements) {
    const kind = marks.get(element)?.kind
    if (kind === 'delete' || kind === 'moved-out') continue
    if ('key' in element && element.key !== undefined) ids.push(element.key)
    if ('meta' in element && element.meta?.id !== undefined) ids.push(element.meta.id)
    if ('nodes' in element) elements.push(...((element.nodes ?? []) as Element[]))
    if ('fragments' in element) elements.push(...(element.fragments ?? []))
  }
  return ids
}
