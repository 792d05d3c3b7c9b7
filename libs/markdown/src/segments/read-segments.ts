import type { Nodes, Root } from 'mdast'
import { readTagParts } from '../syntax/attributes.ts'
import type { TagNode } from '../syntax/nodes.ts'
import { parseMarkdown } from '../syntax/parse.ts'
import { htmlSegments, htmlSource } from './html-segments.ts'
import { inlinePieces, offsetsOf, type InlineReader } from './inline-pieces.ts'
import { segmentOf, type Segment } from './model.ts'
import { rawPieces } from './raw-text.ts'

/** The parameters of tags that are text. */
const textParameters: Record<string, string> = { tab: 'title', prompt: 'description' }

/** A page's body with its segments, in their order; a segment within another one follows it. */
export interface Segmented {
  source: string
  tree: Root
  segments: Segment[]
}

/** Finds the texts of a body with normalized line endings; undefined when it is beyond the bounds of parsing. */
export function readSegments(source: string): Segmented | undefined {
  const tree = parseMarkdown(source)
  if (!tree) return undefined
  const reader: InlineReader = { source, segments: [] }
  readBlock(tree, reader)
  const segments = reader.segments.toSorted((a, b) => a.start - b.start || b.end - a.end)
  return { source, tree, segments: withoutOverlaps(segments) }
}

function readBlock(node: Nodes, reader: InlineReader): void {
  const html = node.type === 'html' ? node.value : node.type === 'heading' ? node.data?.html : undefined
  if (html !== undefined) {
    const place = htmlSource(reader.source, html, offsetsOf(node))
    if (place) reader.segments.push(...htmlSegments(place))
    return
  }
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    const segment = segmentOf(reader.source, 'markdown', inlinePieces(node.children, reader))
    if (segment) reader.segments.push(segment)
    return
  }
  if (node.type === 'tag') reader.segments.push(...tagSegments(node, reader.source))
  else if ('children' in node) for (const child of node.children) readBlock(child, reader)
}

function tagSegments(node: TagNode, source: string): Segment[] {
  const { start, end } = offsetsOf(node)
  const name = textParameters[node.name]
  const place = name === undefined ? undefined : readTagParts(source.slice(start + 2, end - 2)).places[name]
  if (!place) return []
  const span = { start: start + 2 + place.start, end: start + 2 + place.end }
  return [segmentOf(source, 'tag', rawPieces(source, span, 'tag'))].filter(segment => segment !== undefined)
}

/** Segments that stand apart or within an object of another one; HTML that a parser repairs can be found twice. */
function withoutOverlaps(segments: readonly Segment[]): Segment[] {
  const outermost: Segment[] = []
  const open: Segment[] = []
  for (const segment of segments) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= segment.start) open.pop()
    const outer = open.at(-1)
    if (outer && segment.end > outer.end) continue
    if (outer && outer.start === segment.start && outer.end === segment.end) continue
    outermost.push(segment)
    open.push(segment)
  }
  return outermost
}
