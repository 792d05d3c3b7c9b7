import type { BlockType, DocumentBlock, DocumentFragment, DocumentInline, DocumentNode, InlineType } from './schema.ts'
import type { DocumentMark, DocumentText } from './schema.ts'

interface Parts {
  data?: Record<string, unknown>
  nodes?: DocumentNode[]
  fragments?: DocumentFragment[]
  id?: string
}

/** Makes a block; without nodes it is void. */
export function block(type: BlockType, { data = {}, nodes, fragments, id }: Parts = {}): DocumentBlock {
  return {
    object: 'block',
    type,
    isVoid: nodes === undefined,
    data: omitUndefined(data),
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
    ...(id !== undefined && { meta: { id } }),
  }
}

/** Makes an inline; without nodes it is void. */
export function inline(type: InlineType, { data = {}, nodes, fragments }: Parts = {}): DocumentInline {
  return {
    object: 'inline',
    type,
    isVoid: nodes === undefined,
    data: omitUndefined(data),
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
  }
}

/** Makes a fragment of a block. */
export function fragment(name: string, nodes: DocumentBlock[], type = name): DocumentFragment {
  return { object: 'fragment', fragment: name, type, nodes }
}

/** Makes a fragment that is never empty: without blocks it has an empty paragraph. */
export function filledFragment(name: string, nodes: DocumentBlock[]): DocumentFragment {
  return fragment(name, nodes.length > 0 ? nodes : [emptyParagraph()])
}

/** Makes a paragraph without text. */
export function emptyParagraph(): DocumentBlock {
  return block('paragraph', { nodes: [textNode('')] })
}

/** Makes text of one format. */
export function textNode(text: string, marks: readonly DocumentMark[] = []): DocumentText {
  return { object: 'text', leaves: [{ object: 'leaf', text, marks: [...marks] }] }
}

/** The text of nodes without its format. */
export function unformattedText(nodes: readonly DocumentNode[]): string {
  return nodes
    .map(node =>
      node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : unformattedText(node.nodes ?? []),
    )
    .join('')
}

/** Makes a code block of lines; `raw` is Markdown that was not understood. */
export function codeBlock(value: string, data: Record<string, unknown>): DocumentBlock {
  const nodes = value.split('\n').map(line => block('code-line', { nodes: [textNode(line)] }))
  return block('code', { data, nodes })
}

/** Makes a block of what was not understood. */
export function rawBlock(source: string): DocumentBlock {
  return codeBlock(source, { raw: true })
}

/** Leaves out what is undefined. */
export function omitUndefined(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))
}

const fragmentNames = ['caption', 'body', 'expandable-title', 'expandable-body', 'annotation-body']

/** The name of a fragment: that of the model, which some have as their type, else its own. */
export function fragmentName({ fragment, type }: DocumentFragment): string {
  const name = [fragment, type].find(other => other !== undefined && fragmentNames.includes(other))
  return name ?? fragment ?? type ?? ''
}

/** The fragment of a block by its name. */
export function fragmentOf(node: DocumentBlock | DocumentInline, name: string): DocumentFragment | undefined {
  return node.fragments?.find(other => fragmentName(other) === name)
}
