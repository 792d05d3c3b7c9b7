import { emptyParagraph } from './nodes.ts'
import {
  type BlockType,
  type DocumentBlock,
  type DocumentFragment,
  type DocumentNode,
  type InlineType,
  type JSONDocument,
} from './schema.ts'
import { documentSchemaVersion } from './to-document.ts'

/** A document as a caller writes it: what follows from its nodes may be left out. */
export interface IncompleteDocument {
  object: 'document'
  data?: Record<string, unknown> | undefined
  nodes: DocumentBlock[]
}

type NodeType = BlockType | InlineType

/** Types without nodes of their own; their texts are in fragments. */
const voidTypes = new Set<NodeType>([
  'divider',
  'image',
  'file',
  'drawing',
  'embed',
  'math',
  'expandable',
  'table',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'content-ref',
  'integration',
  'reusable-content',
  'emoji',
  'icon',
  'expression',
  'inline-math',
  'inline-image',
  'mention',
  'button',
])

/** Types with nodes that say so: `isVoid` may be left out of the others. */
const notVoidTypes = new Set<NodeType>(['images', 'columns', 'annotation'])

/** Types that may be without data. */
const plainTypes = new Set<NodeType>([
  'paragraph',
  'blockquote',
  'list-item',
  'list-unordered',
  'list-tasks',
  'tabs',
  'stepper',
  'annotation',
])

/** Types that have a list of fragments, if only an empty one. */
const fragmentTypes = new Set<NodeType>(['expandable', 'table', 'image', 'annotation'])

/** Fragments that are never empty. */
const filledFragments = new Set<string | undefined>(['expandable-title', 'expandable-body', 'annotation-body'])

/**
 * Fills in what readers of a document rely on: the schema version, and what each type of node must have in the published schema. What is
 * there stays.
 */
export function completeDocument({ data, nodes }: IncompleteDocument): JSONDocument {
  return {
    object: 'document',
    data: { ...data, schemaVersion: (data?.['schemaVersion'] as number | undefined) ?? documentSchemaVersion },
    nodes: nodes.map(completeNode),
  }
}

function completeNode<Node extends DocumentNode>(node: Node): Node {
  if (node.object === 'text') return node
  const { type } = node
  const isVoid = voidTypes.has(type)
  const nodes = node.nodes?.map(completeNode) ?? (isVoid ? undefined : [])
  const fragments = node.fragments?.map(completeFragment) ?? (fragmentTypes.has(type) ? [] : undefined)
  return {
    ...node,
    ...((isVoid || notVoidTypes.has(type)) && { isVoid: node.isVoid ?? isVoid }),
    ...(!plainTypes.has(type) && { data: node.data ?? {} }),
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
  }
}

function completeFragment(fragment: DocumentFragment): DocumentFragment {
  const nodes = fragment.nodes.map(completeNode)
  const isEmpty = nodes.length === 0 && filledFragments.has(fragment.fragment)
  return { ...fragment, nodes: isEmpty ? [emptyParagraph()] : nodes }
}
