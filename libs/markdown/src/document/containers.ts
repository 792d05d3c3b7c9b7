import type { Html, Nodes, Paragraph, PhrasingContent } from 'mdast'
import { readTagParts } from '../syntax/attributes.ts'
import type { TagNode } from '../syntax/nodes.ts'
import { checkDepth } from './document-bounds.ts'

/** A tag, or an element of HTML, with the blocks up to its end. */
export interface ContainerNode {
  type: 'container'
  name: string
  isHtml: boolean
  attributes: Record<string, string>
  /** The text behind the name of a tag. */
  rest: string
  open: TagNode | Html
  close: TagNode | Html
  children: BlockNode[]
}

/** A node of a page: one of Markdown's, or a container made of a pair of tags. */
export type BlockNode = Nodes | ContainerNode

/** The tags that hold blocks up to their end. */
export const containerTags: ReadonlySet<string> = new Set([
  'hint',
  'tabs',
  'tab',
  'stepper',
  'step',
  'prompt',
  'updates',
  'update',
  'columns',
  'column',
  'code',
  'if',
  'file',
  'embed',
  'content-ref',
  'openapi-operation',
  'openapi-webhook',
  'openapi-schemas',
  'swagger',
  'openapi',
])

interface Frame {
  container?: Omit<ContainerNode, 'close' | 'children'>
  children: BlockNode[]
}

/** Pairs the tags of one level. A tag without partner stands as it is, and what it seemed to hold follows it. */
export function pairContainers(nodes: readonly BlockNode[]): BlockNode[] {
  const root: Frame = { children: [] }
  const stack = [root]
  const top = () => stack.at(-1) ?? root
  const dissolve = () => {
    const frame = stack.pop()
    if (frame?.container) for (const node of [frame.container.open, ...frame.children]) top().children.push(node)
  }
  const split = nodes.flatMap(splitParagraph).flatMap(splitHtml)
  const withoutEnd = unclosedFilesAndEmbeds(split)
  for (const node of split) {
    const opening = withoutEnd.has(node) ? undefined : readOpening(node)
    const closed = closingOf(node)
    if (opening) {
      stack.push({ container: opening, children: [] })
      checkDepth(stack.length)
    } else if (closed !== undefined && stack.some(frame => frame.container?.name === closed)) {
      while (top().container?.name !== closed) dissolve()
      const frame = stack.pop()
      if (frame?.container)
        top().children.push({ ...frame.container, close: node as TagNode | Html, children: frame.children })
    } else top().children.push(node)
  }
  while (stack.length > 1) dissolve()
  return root.children
}

/** Finds the `file` and `embed` tags that stand alone: no end tag comes before the next tag of the same name. */
function unclosedFilesAndEmbeds(nodes: readonly BlockNode[]): Set<BlockNode> {
  const unclosed = new Set<BlockNode>()
  const isEndNext: Record<string, boolean> = { file: false, embed: false }
  for (const node of nodes.toReversed()) {
    const name = node.type === 'tag' ? node.name.replace(/^end/, '') : ''
    if (node.type !== 'tag' || isEndNext[name] === undefined) continue
    if (node.name === name && !isEndNext[name]) unclosed.add(node)
    isEndNext[name] = node.name !== name
  }
  return unclosed
}

/**
 * Reads a node that opens a container: a tag in `containerTags`, or an HTML node that is only `<details>` or `<div>`; undefined for any other
 * node.
 */
function readOpening(node: BlockNode): Frame['container'] | undefined {
  if (node.type === 'tag') {
    const { name, attributes, rest } = node
    return containerTags.has(name)
      ? { type: 'container', name, isHtml: false, attributes, rest, open: node }
      : undefined
  }
  if (node.type !== 'html') return undefined
  const [, tag] = /^\s*<((?:details|div)\b[^<>]*)>\s*$/.exec(node.value) ?? []
  if (tag === undefined) return undefined
  const { name, attributes } = readTagParts(tag)
  return { type: 'container', name: `<${name}>`, isHtml: true, attributes, rest: '', open: node }
}

function closingOf(node: BlockNode): string | undefined {
  if (node.type === 'tag') return node.name.startsWith('end') ? node.name.slice(3) : undefined
  const [, name] = (node.type === 'html' && /^\s*<\/(details|div)\s*>\s*$/.exec(node.value)) || []
  return name === undefined ? undefined : `<${name}>`
}

/** Splits tags off the start and the end of a paragraph, as in `{% file src="a" %} caption {% endfile %}`. */
function splitParagraph(node: BlockNode): BlockNode[] {
  if (node.type !== 'paragraph' || !node.children.some(({ type }) => type === 'tag')) return [node]
  const children = [...node.children]
  const before: Nodes[] = []
  const after: Nodes[] = []
  while (isContainerTag(children[0])) {
    before.push(asBlock(children.shift() as TagNode))
    trimStart(children)
  }
  while (isContainerTag(children.at(-1))) {
    after.unshift(asBlock(children.pop() as TagNode))
    trimEnd(children)
  }
  if (children.length === 0) return [...before, ...after]
  const middle = { ...node, children } as Paragraph
  return [...before, middle, ...after]
}

function isContainerTag(node: PhrasingContent | undefined): boolean {
  return node?.type === 'tag' && containerTags.has(node.name.replace(/^end/, ''))
}

function asBlock(tag: TagNode): TagNode {
  return { ...tag, isBlock: true }
}

function trimStart(children: PhrasingContent[]): void {
  const [first] = children
  if (first?.type !== 'text') return
  const value = first.value.trimStart()
  children.splice(0, 1, ...(value === '' ? [] : [{ ...first, value }]))
}

function trimEnd(children: PhrasingContent[]): void {
  const last = children.at(-1)
  if (last?.type !== 'text') return
  const value = last.value.trimEnd()
  children.splice(-1, 1, ...(value === '' ? [] : [{ ...last, value }]))
}

/** Splits HTML that starts or ends a `<details>`, whose other end is in another block. */
function splitHtml(node: BlockNode): BlockNode[] {
  if (node.type !== 'html') return [node]
  const opens = node.value.match(/<details\b/g)?.length ?? 0
  const closes = node.value.match(/<\/details\s*>/g)?.length ?? 0
  if (opens === closes) return [node]
  const part = (value: string): Html => ({ ...node, value })
  const [, open, after] = /^(\s*<details\b[^<>]*>)\s*([^]+)$/.exec(node.value) ?? []
  if (opens === 1 && closes === 0 && open !== undefined && after?.trim())
    return /^<summary>[^]*<\/summary>\s*$/.test(after) ? [part(open), part(after)] : [node]
  const [, before, close] = /^([^]*?\S)\s*(<\/details\s*>)\s*$/.exec(node.value) ?? []
  return opens === 0 && closes === 1 && before !== undefined && close !== undefined
    ? [part(before), part(close)]
    : [node]
}
