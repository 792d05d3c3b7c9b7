import type { Definition, FootnoteDefinition, Heading, Nodes, Root } from 'mdast'
import { headingAnchors, headingsOf, plainText, titleHeading } from '../outline/read-outline.ts'
import type { Anchors } from '../outline/anchors.ts'
import { elementsOf, type ReferenceKind } from '../outline/references.ts'
import { attribute, parseHtml } from '../syntax/html.ts'
import type { BlockNode } from './containers.ts'
import { BeyondBounds } from './document-bounds.ts'
import type { InlineNode } from './elements.ts'
import type { InlineBuilder } from './inline-builder.ts'
import type { DocumentBlock, DocumentMark, DocumentRef } from './schema.ts'

/** What the reading of one page shares. */
export interface ReadContext {
  reference(target: string, kind: ReferenceKind): DocumentRef
  readBlocks(nodes: readonly BlockNode[]): DocumentBlock[]
  addInlines(nodes: readonly InlineNode[], target: InlineTarget): void
  definitions: Map<string, Definition>
  footnotes: Map<string, FootnoteDefinition>
  /** Tells whether a definition is referred to, so that its text is part of the document. */
  isUsed(node: Definition | FootnoteDefinition): boolean
  /** Ids of headings by their position in the file. */
  headingIds: Map<number | undefined, string>
  anchors: Anchors
  isInFootnote: boolean
  /** The Markdown of a node. */
  sourceOf(nodes: readonly Nodes[]): string
  /** Counts what documents repeat (targets, footnotes), which small pages can make large. */
  spend(amount: number): void
}

/** Where nodes of text are added, and their format. */
export interface InlineTarget {
  builder: InlineBuilder
  marks: readonly DocumentMark[]
  context: ReadContext
}

/** Collects what the reading of a page needs. */
export function readContext(
  tree: Root,
  body: string,
  reference: ReadContext['reference'],
): Omit<ReadContext, 'readBlocks' | 'addInlines'> {
  const definitions = new Map<string, Definition>()
  const footnotes = new Map<string, FootnoteDefinition>()
  collect(tree, node => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node)
  })
  const used = usedDefinitions(tree, definitions, footnotes)
  const { anchors, ids } = idsOf(tree)
  let budget = body.length * 16 + 100_000
  return {
    reference,
    definitions,
    footnotes,
    isUsed: node => used.has(node),
    headingIds: new Map([...ids].map(([heading, id]) => [heading.position?.start.offset, id])),
    anchors,
    isInFootnote: false,
    sourceOf: nodes => sourceOf(nodes, body),
    spend(amount) {
      budget -= amount
      if (budget < 0) throw new BeyondBounds()
    },
  }
}

/** Definitions with a reference. A footnote within a footnote is not read, so it does not count. */
function usedDefinitions(
  tree: Root,
  definitions: ReadonlyMap<string, Definition>,
  footnotes: ReadonlyMap<string, FootnoteDefinition>,
): Set<Nodes | undefined> {
  const used = new Set<Nodes | undefined>()
  const visit = (node: Nodes) => {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(definitions.get(node.identifier))
    for (const name of footnotesIn(node)) used.add(footnotes.get(name))
  }
  collect(tree, visit)
  const inFootnotes = new Set<Nodes | undefined>()
  const outside = new Set<Nodes | undefined>()
  const divide = (node: Nodes, isInside: boolean) => {
    for (const name of footnotesIn(node)) (isInside ? inFootnotes : outside).add(footnotes.get(name))
    const inside = isInside || node.type === 'footnoteDefinition'
    if ('children' in node) for (const child of node.children) divide(child, inside)
  }
  divide(tree, false)
  for (const node of inFootnotes) if (!outside.has(node)) used.delete(node)
  return used
}

/** The footnotes that a node itself refers to: `[^1]`, or `<a data-footnote-ref href="#user-content-fn-1">` within HTML. */
function footnotesIn(node: Nodes): string[] {
  if (node.type === 'footnoteReference') return [node.identifier]
  if (node.type !== 'html' || !node.value.includes('data-footnote-ref')) return []
  return [...elementsOf(parseHtml(node.value) ?? [])].flatMap(element => footnoteName(attribute(element, 'href')) ?? [])
}

/** The name of the footnote that the address of an element leads to. */
export function footnoteName(href: string | undefined): string | undefined {
  return /^#user-content-fn-(.+)$/.exec(href ?? '')?.[1]
}

/** The title's heading is named last: where it is not part of the document, the others keep their anchors. */
function idsOf(tree: Root): { anchors: Anchors; ids: Map<Heading, string> } {
  const title = titleHeading(tree)
  const { anchors, ids } = headingAnchors(headingsOf(tree).filter(heading => heading !== title))
  if (title) ids.set(title, anchors.slug(plainText(title)))
  return { anchors, ids }
}

function collect(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) collect(child, visit)
}

/** The lines of nodes, without the indentation of the container that they are in. */
function sourceOf(nodes: readonly Nodes[], body: string): string {
  const start = nodes[0]?.position?.start
  const end = nodes.at(-1)?.position?.end
  if (start?.offset === undefined || end?.offset === undefined) return ''
  const lines = body.slice(start.offset, end.offset).split('\n')
  return lines.map((line, at) => (at === 0 ? line : withoutPrefix(line, start.column - 1))).join('\n')
}

function withoutPrefix(line: string, width: number): string {
  const prefix = line.slice(0, width)
  return /^[\s>]*$/.test(prefix) ? line.slice(width) : line.trimStart()
}
