import { emojiFromCodePoints } from '@recto/text'
import type { DocumentFragment, DocumentNode } from '@recto/markdown/schema'

/** The characters of an emoji by its code points; nothing for what are none. */
export function emojiOf(code: unknown): string {
  return emojiFromCodePoints(String(code)) ?? ''
}

/** The characters of an emoji that is given by its code points, or as characters. */
export function emojiText(emoji: string): string {
  return emojiFromCodePoints(emoji) ?? emoji
}

type Evaluate = (expression: string) => string

/** The words of nodes however deep they are, blocks on lines of their own; expressions are what `evaluate` makes of them. */
export function plainText(nodes: readonly (DocumentNode | DocumentFragment)[], evaluate?: Evaluate): string {
  return textOfNodes(nodes, evaluate)
    .replace(/\n{2,}/g, '\n')
    .trim()
}

/** The words of nodes with all their blanks. */
export function textOfNodes(nodes: readonly (DocumentNode | DocumentFragment)[], evaluate?: Evaluate): string {
  const stack: (DocumentNode | DocumentFragment | string)[] = nodes.toReversed()
  let text = ''
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') text += node
    else if (node.object === 'text') for (const leaf of node.leaves) text += leaf.text
    else {
      if (node.object === 'inline') text += inlineWords(node.type, node.data ?? {}, evaluate)
      if (node.object === 'block') stack.push('\n')
      const fragments = node.object === 'block' ? (node.fragments ?? []) : []
      for (const child of [...fragments, ...(node.nodes ?? [])].toReversed()) stack.push(child)
    }
  }
  return text
}

function inlineWords(type: string, data: Record<string, unknown>, evaluate?: Evaluate): string {
  if (type === 'expression') return evaluate?.(String(data['expression'])) ?? ''
  if (type === 'emoji') return emojiOf(data['code'])
  const words = data['label'] ?? data['formula'] ?? data['alt']
  return typeof words === 'string' ? words : ''
}
