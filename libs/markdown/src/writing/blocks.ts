import type { BlockContent, ListItem, Node, PhrasingContent, RootContent } from 'mdast'
import { integrationAttributes } from '../document/integrations.ts'
import { fragmentOf, unformattedText } from '../document/nodes.ts'
import type { DocumentBlock, DocumentNode, DocumentRef } from '../document/schema.ts'
import { writeUpdateDate, writeUpdateTags } from '../document/updates.rules.ts'
import { writeAttributes, writeLength, writeTag, writeTargetAttribute } from './escape.ts'
import { flowHtml, htmlAligns, inlineHtml, withDarkVariant, type WriteContext } from './inline-html.ts'
import { html, toPhrasing } from './phrasing.ts'
import { writeTable } from './tables.ts'

/** Blocks between an opening and a closing line. */
export interface WrappedNode extends Node {
  type: 'wrapped'
  open: string
  close: string
  children: RootContent[]
}

declare module 'mdast' {
  interface RootContentMap {
    wrapped: WrappedNode
  }
  interface BlockContentMap {
    wrapped: WrappedNode
  }
}

/** Blocks as nodes of Markdown. */
export function toFlow(nodes: readonly DocumentNode[], context: WriteContext): RootContent[] {
  return nodes.flatMap(node => (node.object === 'block' ? [toFlowNode(node, context)] : []))
}

function toFlowNode(node: DocumentBlock, context: WriteContext): RootContent {
  const data = (node.data ?? {}) as Record<string, never>
  const inside = node.nodes ?? []
  switch (node.type) {
    case 'paragraph':
      return paragraph(node, context)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return heading(node, context)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return list(node, context)
    case 'blockquote':
      return { type: 'blockquote', children: toFlow(inside, context) as BlockContent[] }
    case 'divider':
      return { type: 'thematicBreak' }
    case 'code':
      return code(node, context)
    case 'math':
      return { type: 'math', meta: (data['info'] as string | undefined) ?? null, value: String(data['formula'] ?? '') }
    case 'table':
      return writeTable(node, context)
    case 'images':
      return { type: 'html', value: imagesHtml(node, context) }
    case 'image':
      return { type: 'html', value: figureHtml(node, context) }
    case 'expandable':
      return expandable(node, context)
    default:
      return tagged(node, context)
  }
}

/** The value of a block without nodes of its own is kept as a line of words, if the model has more than the dialect. */
function tagged(node: DocumentBlock, context: WriteContext): RootContent {
  const { type } = node
  const data = node.data ?? {}
  const wrap = (name: string, values: Record<string, unknown> = {}, children = toFlow(node.nodes ?? [], context)) =>
    wrapped(writeTag(name, values), writeTag(`end${name}`), children)
  switch (type) {
    case 'hint':
      return wrap('hint', { style: data['style'], icon: data['icon'] })
    case 'if':
      return wrapped(`{% if ${String(data['expression'])} %}`, '{% endif %}', toFlow(node.nodes ?? [], context))
    case 'tabs':
      return wrap('tabs', { fullWidth: data['fullWidth'] })
    case 'tabs-item':
      return wrap('tab', { title: data['title'], icon: data['icon'] })
    case 'stepper':
      return wrap('stepper')
    case 'stepper-step':
      return wrap('step', { icon: data['icon'] })
    case 'prompt': {
      const { description, icon, openInAIProviders, defaultExpanded } = data
      return wrap('prompt', { description, icon, openInAIProviders, defaultExpanded })
    }
    case 'updates':
      return wrap('updates', { format: data['format'] })
    case 'update':
      return wrap('update', { date: writeUpdateDate(data['date']), tags: writeUpdateTags(data['tags']) })
    case 'columns':
      return wrap('columns', { fullWidth: data['fullWidth'] })
    case 'column':
      return wrap('column', { width: writeLength(data['width']), verticalAlignment: data['verticalAlignment'] })
    default:
      return writeReferenceBlock(node, context)
  }
}

/** Writes a block that refers to another resource (embed, file, page, OpenAPI operation, reusable content) as a tag. */
function writeReferenceBlock(node: DocumentBlock, context: WriteContext): RootContent {
  const data = node.data ?? {}
  const kind = node.type.startsWith('openapi-') ? 'openapi' : undefined
  const target = data['ref'] ? context.target(data['ref'] as DocumentRef, kind) : ''
  const body = toFlow((fragmentOf(node, 'caption') ?? fragmentOf(node, 'body'))?.nodes ?? [], context)
  const wrap = (name: string, values: Record<string, unknown>, children = body) =>
    wrapped(writeTag(name, values), writeTag(`end${name}`), children)
  const only = (name: string, values: Record<string, unknown>) =>
    body.length > 0 ? wrap(name, values) : { type: 'html' as const, value: writeTag(name, values) }
  const { path, method, name, expanded, fullWidth, schemas, grouped } = data
  switch (node.type) {
    case 'embed':
      return only('embed', { url: data['url'], fullWidth })
    case 'file':
      return only('file', { src: target })
    case 'reusable-content':
      return { type: 'html', value: `{% include "${target}" %}` }
    case 'content-ref': {
      const link: PhrasingContent = { type: 'link', url: target, children: [{ type: 'text', value: target }] }
      return wrap(
        'content-ref',
        { url: target },
        body.length > 0 || target === '' ? body : [{ type: 'paragraph', children: [link] }],
      )
    }
    case 'swagger':
      return wrap(node.meta?.tag === 'openapi' ? 'openapi' : 'swagger', {
        src: target,
        path,
        method,
        expanded,
        fullWidth,
      })
    case 'openapi-operation':
      return wrap('openapi-operation', { spec: target, path, method })
    case 'openapi-webhook':
      return wrap('openapi-webhook', { spec: target, name, method })
    case 'openapi-schemas':
      return wrap('openapi-schemas', { spec: target, schemas: (schemas as string[] | undefined)?.join(','), grouped })
    case 'drawing': {
      const alt = writeAttributes({ alt: (data['alt'] as string | undefined) ?? '' })
      return { type: 'html', value: `<img src=${writeTargetAttribute(target)}${alt} class="gitbook-drawing">` }
    }
    case 'integration':
      return {
        type: 'html',
        value: writeTag(`@${String(data['integration'])}/${String(data['block'])}`, integrationAttributes(data)),
      }
    default:
      return wrapped('', '', toFlow(node.nodes ?? [], context))
  }
}

function wrapped(open: string, close: string, children: RootContent[]): WrappedNode {
  return { type: 'wrapped', open, close, children }
}

function paragraph(node: DocumentBlock, context: WriteContext): RootContent {
  const nodes = (node.nodes ?? []).filter(
    child => child.object !== 'text' || child.leaves.some(({ text }) => text !== ''),
  )
  const [only, ...more] = nodes
  const isImage = only?.object === 'inline' && only.type === 'inline-image' && more.length === 0
  if (isImage || node.data?.['align'] !== undefined) return { type: 'html', value: flowHtml([node], context) }
  return { type: 'paragraph', children: only ? toPhrasing(nodes, context) : [html('&#x20;')] }
}

function heading(node: DocumentBlock, context: WriteContext): RootContent {
  const level = Number(node.data?.['level'])
  const depth = ([1, 5, 6].includes(level) ? level : Number(node.type.slice(-1)) + 1) as 1 | 2 | 3 | 4 | 5 | 6
  const id = node.data?.['id']
  if (node.data?.['align'] !== undefined) return { type: 'html', value: alignedHeading(node, depth, context) }
  const children = toPhrasing(node.nodes ?? [], context, 'html')
  if (typeof id !== 'string') return { type: 'heading', depth, children }
  const attributes = writeAttributes({ href: `#${id}`, id })
  const gap: PhrasingContent[] = children.length > 0 ? [{ type: 'text', value: ' ' }] : []
  return { type: 'heading', depth, children: [...children, ...gap, html(`<a${attributes}></a>`)] }
}

function alignedHeading({ nodes = [], data }: DocumentBlock, depth: number, context: WriteContext): string {
  const id = data?.['id']
  const anchor = typeof id === 'string' ? ` <a${writeAttributes({ href: `#${id}`, id })}></a>` : ''
  const align = writeAttributes({ align: htmlAligns[String(data?.['align'])] })
  return `<h${depth}${align}>${inlineHtml(nodes, context)}${anchor}</h${depth}>`
}

function list(node: DocumentBlock, context: WriteContext): RootContent {
  // Each task has a box, unless some say that they have one.
  const hasBoxes =
    node.type === 'list-tasks' &&
    !(node.nodes ?? []).some(item => item.object === 'block' && typeof item.data?.['checked'] === 'boolean')
  const children = (node.nodes ?? []).flatMap(item =>
    item.object === 'block' ? [listItem(item, hasBoxes, context)] : [],
  )
  const isOrdered = node.type === 'list-ordered'
  const start = isOrdered ? Number(node.data?.['start'] ?? 1) : null
  return { type: 'list', ordered: isOrdered, start, spread: false, children }
}

function listItem(item: DocumentBlock, isTasks: boolean, context: WriteContext): ListItem {
  const children = toFlow(item.nodes ?? [], context) as BlockContent[]
  const isTight = children.every(
    (child, at) => at === 0 || (child.type === 'list' && children[at - 1]?.type === 'paragraph'),
  )
  const checked = item.data?.['checked']
  const isTask = typeof checked === 'boolean' || isTasks
  if (isTask && children[0]?.type !== 'paragraph') children.unshift({ type: 'paragraph', children: [html('&#x20;')] })
  return { type: 'listItem', spread: !isTight, checked: isTask ? checked === true : null, children }
}

/** The lines of a code block. */
export function codeText(node: DocumentBlock): string {
  return (node.nodes ?? []).map(line => unformattedText([line])).join('\n')
}

function code(node: DocumentBlock, context: WriteContext): RootContent {
  const value = codeText(node)
  const { raw, syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = node.data ?? {}
  if (raw === true) return { type: 'html', value }
  if ((node.nodes ?? []).some(hasFormat)) return { type: 'html', value: codeHtml(node, context) }
  const [, lang = null, meta = null] = /^(\S+)(?:\s+([^]*))?$/.exec(String(syntax ?? '')) ?? []
  const block: RootContent = { type: 'code', lang, meta: meta || null, value }
  const options = { title, overflow, lineNumbers, fullWidth, expandable, collapsedlinecount: collapsedLineCount }
  const hasOptions = Object.values(options).some(option => option !== undefined)
  return hasOptions ? wrapped(writeTag('code', options), '{% endcode %}', [block]) : block
}

/** Lines that a fence has no place for. */
function hasFormat(line: DocumentNode): boolean {
  if (line.object === 'text') return false
  const isText = (line.nodes ?? []).every(
    child => child.object === 'text' && child.leaves.every(({ marks }) => marks.length === 0),
  )
  return line.data?.['highlighted'] === true || !isText
}

function codeHtml({ data = {}, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const flag = (value: unknown) => (value === undefined ? undefined : value === true || String(value))
  const asText = (value: unknown) => (value === undefined ? undefined : String(value))
  const syntax = data['syntax'] ? String(data['syntax']) : undefined
  const attributes = writeAttributes({
    class: syntax && `language-${syntax}`,
    'data-title': data['title'] as string | undefined,
    'data-overflow': data['overflow'] as string | undefined,
    'data-line-numbers': flag(data['lineNumbers']),
    'data-full-width': flag(data['fullWidth']),
    'data-expandable': asText(data['expandable']),
    'data-collapsedlinecount': asText(data['collapsedLineCount']),
  })
  const lines = nodes.map((line, at) => {
    if (line.object === 'text') return ''
    const text = `${inlineHtml(line.nodes ?? [], { ...context, isCode: true })}${at < nodes.length - 1 ? '\n' : ''}`
    return line.data?.['highlighted'] === true ? `<strong>${text}</strong>` : text
  })
  const name = writeAttributes({ class: syntax && `lang-${syntax}` })
  return `<pre${attributes}><code${name}>${lines.join('')}</code></pre>`
}

function expandable(node: DocumentBlock, context: WriteContext): RootContent {
  const title = (fragmentOf(node, 'expandable-title')?.nodes ?? []).flatMap(({ nodes }) => nodes ?? [])
  const summary: RootContent = { type: 'html', value: `<summary>${inlineHtml(title, context)}</summary>` }
  const body = toFlow(fragmentOf(node, 'expandable-body')?.nodes ?? [], context)
  return wrapped('<details>\n', '\n</details>', [summary, ...body])
}

function imagesHtml({ data, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const figures = nodes.map(node => figureHtml(node as DocumentBlock, context)).join(nodes.length > 1 ? ' ' : '')
  const flag = (value: unknown) => (value === undefined ? undefined : String(value))
  const attributes = writeAttributes({
    align: flag(data?.['align']),
    'data-full-width': flag(data?.['fullWidth']),
    'data-with-frame': flag(data?.['withFrame']),
  })
  return attributes === '' && nodes.length === 1 ? figures : `<div${attributes}>${figures}</div>`
}

function figureHtml(node: DocumentBlock, context: WriteContext): string {
  const { ref, refDark, alt, width, height } = (node.data ?? {}) as Record<string, unknown>
  const src = writeTargetAttribute(context.target(ref as DocumentRef))
  const others = writeAttributes({ alt: String(alt ?? ''), width: writeLength(width), height: writeLength(height) })
  const image = withDarkVariant(`<img src=${src}${others}>`, refDark as DocumentRef | undefined, context)
  const caption = flowHtml(fragmentOf(node, 'caption')?.nodes ?? [], context)
  return `<figure>${image}<figcaption>${caption}</figcaption></figure>`
}
