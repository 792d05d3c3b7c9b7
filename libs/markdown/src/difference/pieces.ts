import type { DocumentInline, DocumentLeaf, DocumentNode, DocumentText } from '../document/schema.ts'
import { stableText } from './content-ids.ts'
import type { InlineNode } from './schema.ts'
import { isWord, segmentsOf } from './words.ts'

/** A word, what is between words, or an inline. */
export type Piece = DocumentInline | (DocumentText & { leaves: [DocumentLeaf] })

/** Divides text into its pieces. */
export function splitText(nodes: readonly InlineNode[]): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    if (node.object === 'inline') return [node]
    return node.leaves.flatMap(({ text, marks }) =>
      segmentsOf(text).map(segment => ({ object: 'text', leaves: [{ object: 'leaf', text: segment, marks }] })),
    )
  })
}

/** Joins pieces: texts side by side are one, and so are leaves of the same format. */
export function joinText(pieces: readonly InlineNode[]): InlineNode[] {
  const nodes: InlineNode[] = []
  let leaves: DocumentLeaf[] = []
  let marksOfLast = ''
  for (const piece of pieces) {
    if (piece.object === 'inline') {
      nodes.push(piece)
      leaves = []
      continue
    }
    if (leaves.length === 0) nodes.push({ object: 'text', leaves })
    for (const leaf of piece.leaves) {
      const marks = stableText(leaf.marks)
      const last = leaves.at(-1)
      if (last && marks === marksOfLast) leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text }
      else leaves.push(leaf)
      marksOfLast = marks
    }
  }
  return nodes
}

/** Whether nodes are text that can be divided into pieces, and joined again as it was. */
export function isDivisible(nodes: readonly DocumentNode[]): nodes is InlineNode[] {
  let isAfterText = false
  return nodes.every(node => {
    if (node.object === 'block') return false
    const isText = node.object === 'text'
    const isWhole = !isText || (!isAfterText && areDivisible(node.leaves))
    isAfterText = isText
    return isWhole
  })
}

function areDivisible(leaves: readonly DocumentLeaf[]): boolean {
  const isJoined = leaves.some(({ marks }, at) => at > 0 && stableText(marks) === stableText(leaves[at - 1]?.marks))
  return leaves.length > 0 && !isJoined && leaves.every(({ text }) => text !== '')
}

/** Whether a piece says something: a word, or what stands within text. */
export function isMeaningful(piece: Piece): boolean {
  return piece.object === 'inline' || isWord(piece.leaves[0].text)
}
