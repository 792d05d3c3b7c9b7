import type { Nodes } from 'mdast'
import { markdownBounds } from './bounds.ts'

const paragraphEnd = /\n[ \t>]*\n|\n(?=[ \t]*(?:\||[-+*][ \t]))/
const marks = /\*+|_+|~+|`+|\{%|[[\]<]/g
const footnote = /^[ \t>]*\[\^[^\]\n]+\]:/gm
const marker = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t])/

/** Tells, without parsing, whether parsing would take too long or nest too deep. */
export function isBeyondBounds(markdown: string): boolean {
  return parseCost(markdown) > markdownBounds.cost || isNestedTooDeep(markdown)
}

/** Estimates the work of parsing: constant for a block, a cell and a footnote, quadratic in the length of a paragraph and in its marks. */
export function parseCost(markdown: string): number {
  const cells = markdown.match(/\|/g)?.length ?? 0
  const notes = markdown.match(footnote)?.length ?? 0
  let cost = markdown.length * 4 + cells * 4_000 + notes * 10_000
  for (const paragraph of markdown.split(paragraphEnd)) {
    const count = paragraph.match(marks)?.length ?? 0
    cost += 2_000 + 8 * count * count + (count * paragraph.length) / 8 + paragraph.length ** 2 / 1_000
  }
  return cost
}

/** Follows the markers of lists and quotes line by line, as a parser does. */
function isNestedTooDeep(markdown: string): boolean {
  const indents: number[] = []
  for (const line of markdown.split('\n')) {
    let column = 0
    while (column < line.length) {
      const rest = line.slice(column, column + 12)
      if (rest.startsWith(' ') || rest.startsWith('\t')) {
        column += 1
        continue
      }
      const width = rest.startsWith('>') ? 1 : marker.exec(rest)?.[0].length
      while ((indents.at(-1) ?? -1) >= column) indents.pop()
      if (width === undefined) break
      indents.push(column)
      if (indents.length > markdownBounds.depth) return true
      column += width
    }
  }
  return false
}

/** Counts the levels of a tree, without recursion. */
export function depthOf(tree: Nodes): number {
  let level: Nodes[] = [tree]
  let depth = 0
  while (level.length > 0) {
    level = level.flatMap(node => ('children' in node ? (node.children as Nodes[]) : []))
    depth += 1
  }
  return depth
}
