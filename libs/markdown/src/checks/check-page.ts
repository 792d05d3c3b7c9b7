import type { Nodes } from 'mdast'
import { containerTags, pairContainers, type BlockNode } from '../document/containers.ts'
import { BeyondBounds } from '../document/document-bounds.ts'
import { apiPartTags, voidTags } from '../document/tags.ts'
import { numberedBody, outlineOfTree, unparsedOutline, type Outline } from '../outline/read-outline.ts'
import type { TagNode } from '../syntax/nodes.ts'
import { parseMarkdown } from '../syntax/parse.ts'

/** A tag that is no block of its page: one of an unknown name, one without its end, or an end without its start. */
export interface TagFault {
  fault: 'unknown' | 'unclosed' | 'unopened'
  /** The name, without `end`. */
  name: string
  /** From 1 in the file. */
  line: number
}

/** The result of parsing a page for its author. */
export interface CheckedPage {
  outline: Outline
  tagFaults: TagFault[]
  /** Whether the page is beyond `markdownBounds`, and is shown as it is written. */
  isBeyondBounds: boolean
}

/** Tags that are shown in pairs and alone. */
const looseTags: ReadonlySet<string> = new Set(apiPartTags)

/** The result for a page that cannot be parsed. */
export function unparsedPage(markdown: string): CheckedPage {
  return { outline: unparsedOutline(markdown), tagFaults: [], isBeyondBounds: true }
}

/** Reads the outline of a page file and the faults of its tags in one parse. */
export function checkPage(markdown: string): CheckedPage {
  const { body, firstLine } = numberedBody(markdown)
  const tree = parseMarkdown(body)
  if (!tree) return unparsedPage(markdown)
  try {
    const tagFaults = faultsOfBlocks(tree.children).map(fault => ({ ...fault, line: fault.line + firstLine - 1 }))
    return { outline: outlineOfTree(tree, firstLine), tagFaults, isBeyondBounds: false }
  } catch (error) {
    if (error instanceof BeyondBounds) return unparsedPage(markdown)
    throw error
  }
}

function faultsOfBlocks(nodes: readonly BlockNode[]): TagFault[] {
  return pairContainers(nodes).flatMap(node => {
    if (node.type === 'container') return faultsOfBlocks(node.children)
    if (node.type === 'tag') return faultOf(node)
    if (!('children' in node)) return []
    const holdsText = node.type === 'paragraph' || node.type === 'heading' || node.type === 'table'
    return holdsText ? faultsOfText(node) : faultsOfBlocks(node.children as BlockNode[])
  })
}

/** Within text only names are checked: pairs of tags are of blocks. */
function faultsOfText(node: Nodes): TagFault[] {
  if (node.type === 'tag') return faultOf(node).filter(({ fault }) => fault === 'unknown')
  return 'children' in node ? (node.children as Nodes[]).flatMap(faultsOfText) : []
}

/** The fault of a tag that stands outside of a pair; none of a tag that stands alone, or of an integration. */
function faultOf({ name, position }: TagNode): TagFault[] {
  const line = position?.start.line ?? 1
  if (name.startsWith('@') || isVoidTag(name) || looseTags.has(name.replace(/^end/, ''))) return []
  if (containerTags.has(name)) return [{ fault: 'unclosed', name, line }]
  const start = name.replace(/^end/, '')
  const isEnd = start !== name && (containerTags.has(start) || isVoidTag(start))
  return [{ fault: isEnd ? 'unopened' : 'unknown', name: isEnd ? start : name, line }]
}

function isVoidTag(name: string): boolean {
  return Object.hasOwn(voidTags, name)
}
