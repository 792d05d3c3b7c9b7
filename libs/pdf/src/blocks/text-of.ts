import type { DocumentNode } from '@recto/markdown/schema'

/** The words of nodes without format. */
export function textOf(nodes: readonly DocumentNode[]): string {
  return nodes
    .map(node => {
      if (node.object === 'text') return node.leaves.map(({ text }) => text).join('')
      const inside = textOf(node.nodes ?? [])
      return node.object === 'block' ? `${inside} ` : inside
    })
    .join('')
}
