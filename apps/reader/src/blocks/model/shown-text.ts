import { meetsCondition } from '@recto/expressions'
import type { DocumentFragment, DocumentNode } from '@recto/markdown/schema'
import { evaluation, maxDepth, scopeOf, type Context } from './context.ts'
import { plainText } from './plain-text.ts'
import { visibleText } from './raw-text.ts'

type Node = DocumentNode | DocumentFragment

/** The words of nodes that the visitor sees: without what a condition hides, and without comments and tags that were not understood. */
export function shownText(nodes: readonly Node[], context: Context): string {
  const scope = scopeOf(context)
  const isHidden = (node: Node) =>
    node.object === 'block' && node.type === 'if' && !meetsCondition(String(node.data?.['expression'] ?? ''), scope)
  const visible = (node: Node, isRaw: boolean, depth = 0): Node[] => {
    if (isHidden(node) || depth > maxDepth) return []
    if (node.object === 'text') {
      const leaves = node.leaves.map(leaf => {
        const isSource = isRaw || leaf.marks.some(mark => mark.type === 'code' && mark.data?.raw === true)
        return isSource ? { ...leaf, text: visibleText(leaf.text) } : leaf
      })
      return [{ ...node, leaves }]
    }
    const isRawHere = isRaw || (node.object === 'block' && node.type === 'code' && node.data?.['raw'] === true)
    const parts = node.object === 'fragment' ? [] : (node.fragments ?? [])
    const inside = (children: readonly Node[]) => children.flatMap(child => visible(child, isRawHere, depth + 1))
    return [{ ...node, nodes: inside(node.nodes ?? []), fragments: inside(parts) } as Node]
  }
  return plainText(
    nodes.flatMap(node => visible(node, false)),
    evaluation(context),
  )
}
