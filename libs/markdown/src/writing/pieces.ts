import { isRaw, sameMark, withoutMarkedEdges } from '../document/marks.ts'
import type { DocumentInline, DocumentMark, DocumentNode } from '../document/schema.ts'

/** A run of text of one format, or an inline. */
export type Piece = { marks: DocumentMark[]; text: string } | { inline: DocumentInline } | { footnote: DocumentInline }
/** Pieces within one mark. */
export interface MarkedGroup {
  mark: DocumentMark
  inside: (Piece | MarkedGroup)[]
}

/** Groups text by its marks, the outermost first. */
export function groupPieces(
  nodes: readonly DocumentNode[],
  format: 'markdown' | 'html' = 'markdown',
): (Piece | MarkedGroup)[] {
  return group(
    withoutMarkedEdges(nodes).flatMap((node, at) => piecesOf(node, format === 'html' ? 'html' : nodes[at - 1])),
  )
}

function piecesOf(node: DocumentNode, before: DocumentNode | 'html' | undefined): Piece[] {
  if (node.object === 'text')
    return node.leaves.filter(({ text }) => text !== '').map(({ text, marks }) => ({ text, marks }))
  if (node.object === 'block')
    return (node.nodes ?? []).flatMap((child, at, all) => piecesOf(child, before === 'html' ? 'html' : all[at - 1]))
  if (node.type === 'annotation' && before !== 'html' && isWord(node, before))
    return [...(node.nodes ?? []).flatMap(child => piecesOf(child, undefined)), { footnote: node }]
  return [{ inline: node }]
}

/** Whether `[^1]` behind an annotated text is read as an annotation of it: it annotates the word before it. */
function isWord({ nodes = [] }: DocumentInline, before: DocumentNode | undefined): boolean {
  const leaves = nodes.flatMap(node => (node.object === 'text' ? node.leaves.filter(({ text }) => text !== '') : []))
  const [leaf, ...more] = leaves
  const isTextBefore = before?.object === 'text' && /\S$/.test(before.leaves.at(-1)?.text ?? '')
  return !isTextBefore && more.length === 0 && (!leaf || (/^\S+$/.test(leaf.text) && !isRaw(leaf.marks)))
}

function group(pieces: Piece[]): (Piece | MarkedGroup)[] {
  const groups: (Piece | MarkedGroup)[] = []
  for (let start = 0; start < pieces.length;) {
    const first = pieces[start] as Piece
    const [longest] = marksOf(first)
      .map(mark => ({ mark, end: endOfRun(pieces, start, mark) }))
      .sort((a, b) => b.end - a.end)
    const end = longest?.end ?? start + 1
    if (longest) {
      const inside = pieces.slice(start, end).map(piece => withoutMark(piece, longest.mark))
      groups.push({ mark: longest.mark, inside: group(inside) })
    } else groups.push(first)
    start = end
  }
  return groups
}

/** The marks that become groups: code does not, since its text is written as it is. */
function marksOf(piece: Piece | undefined): DocumentMark[] {
  if (!piece || !('marks' in piece) || isRaw(piece.marks)) return []
  return piece.marks.filter(({ type }) => type !== 'code')
}

/** The mark that spans most is the outer one. */
function endOfRun(pieces: Piece[], start: number, mark: DocumentMark): number {
  let end = start + 1
  while (marksOf(pieces[end]).some(other => sameMark(other, mark))) end += 1
  return end
}

function withoutMark(piece: Piece, mark: DocumentMark): Piece {
  return 'marks' in piece ? { ...piece, marks: piece.marks.filter(other => !sameMark(other, mark)) } : piece
}

/** The tags of HTML for a mark; undefined for those that Markdown writes. */
export function tagOfMark(mark: DocumentMark): string {
  const tags = {
    bold: 'strong',
    italic: 'em',
    strikethrough: 'del',
    keyboard: 'kbd',
    superscript: 'sup',
    subscript: 'sub',
    code: 'code',
    color: 'mark',
  }
  return tags[mark.type]
}
