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
export function groupPieces(nodes: readonly DocumentNode[]): (Piece | MarkedGroup)[] {
  return group(withoutMarkedEdges(nodes).flatMap(piecesOf))
}

function piecesOf(node: DocumentNode): Piece[] {
  if (node.object === 'text')
    return node.leaves.filter(({ text }) => text !== '').map(({ text, marks }) => ({ text, marks }))
  if (node.object === 'block') return (node.nodes ?? []).flatMap(piecesOf)
  if (node.type === 'annotation') return [...(node.nodes ?? []).flatMap(piecesOf), { footnote: node }]
  return [{ inline: node }]
}

function group(pieces: Piece[]): (Piece | MarkedGroup)[] {
  const groups: (Piece | MarkedGroup)[] = []
  for (let start = 0; start < pieces.length;) {
    const first = pieces[start] as Piece
    const mark = outerMark(first)
    let end = start + 1
    if (mark) while (end < pieces.length && sameMark(outerMark(pieces[end]), mark)) end += 1
    if (mark) groups.push({ mark, inside: group(pieces.slice(start, end).map(withoutOuterMark)) })
    else groups.push(first)
    start = end
  }
  return groups
}

/** Code is not a group: its text is written as it is. */
function outerMark(piece: Piece | undefined): DocumentMark | undefined {
  if (!piece || !('marks' in piece) || isRaw(piece.marks)) return undefined
  const [mark] = piece.marks
  return mark?.type === 'code' ? undefined : mark
}

function withoutOuterMark(piece: Piece): Piece {
  return 'marks' in piece ? { ...piece, marks: piece.marks.slice(1) } : piece
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
