import { includeTarget } from '../outline/references.ts'
import type { TagNode } from '../syntax/nodes.ts'
import type { ContainerNode } from './containers.ts'
import type { ReadContext } from './context.ts'
import { readLength } from './html-blocks.ts'
import { readLineCount } from './html-code.ts'
import { readIntegration } from './integrations.ts'
import { block, fragment } from './nodes.ts'
import type { BlockType, DocumentBlock } from './schema.ts'
import { readUpdateDate, readUpdateTags } from './updates.rules.ts'

type Attributes = Record<string, string>

/** Reads values of attributes; undefined when an attribute or its value is not known. */
function readAttributes<Keys extends string>(
  attributes: Attributes,
  readers: Record<Keys, (value: string) => unknown>,
): Partial<Record<Keys, never>> | undefined {
  const data: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(attributes)) {
    const read = Object.hasOwn(readers, key) ? readers[key as Keys](value) : undefined
    if (read === undefined) return undefined
    data[key] = read
  }
  return data as Partial<Record<Keys, never>>
}

const text = (value: string) => value
const flag = (value: string) => (value === 'true' ? true : value === 'false' ? false : undefined)
const oneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value) ? value : undefined

type ReadVoidTag = (tag: TagNode, context: ReadContext) => DocumentBlock | undefined

/** Tags that stand alone. */
export const voidTags: Readonly<Record<string, ReadVoidTag>> = {
  include(tag, context) {
    const target = includeTarget(tag)
    return target ? block('reusable-content', { data: { ref: context.reference(target, 'include') } }) : undefined
  },
  'page-ref'({ attributes }, context) {
    const { page, ...others } = attributes
    const isPageRef = page !== undefined && Object.keys(others).length === 0
    return isPageRef ? block('content-ref', { data: { ref: context.reference(page, 'content-ref') } }) : undefined
  },
  embed: ({ attributes }, context) => targetTags['embed']?.(attributes, context),
  file: ({ attributes }, context) => targetTags['file']?.(attributes, context),
}

/** Parts of `swagger` in pages that are older than specifications. They stay as they are written, and readers see their attributes. */
export const apiPartTags = ['swagger-description', 'swagger-parameter', 'swagger-response'] as const

/** Reads a tag without an end; undefined when it is not understood. */
export function readVoidTag(tag: TagNode, context: ReadContext): DocumentBlock | undefined {
  const { name } = tag
  if (name.startsWith('@')) return readIntegration(tag)
  return Object.hasOwn(voidTags, name) ? voidTags[name]?.(tag, context) : undefined
}

type ReadTarget = (attributes: Attributes, context: ReadContext) => DocumentBlock | undefined

/** Tags that refer to something. */
export const targetTags: Record<string, ReadTarget> = {
  embed(attributes) {
    const data = readAttributes(attributes, { url: text, fullWidth: flag })
    return data?.url === undefined ? undefined : block('embed', { data })
  },
  file(attributes, context) {
    const data = readAttributes(attributes, { src: text })
    return data?.src === undefined ? undefined : block('file', { data: { ref: context.reference(data.src, 'file') } })
  },
  'content-ref'(attributes, context) {
    const data = readAttributes(attributes, { url: text })
    if (data?.url === undefined) return undefined
    return block('content-ref', { data: { ref: context.reference(data.url, 'content-ref') } })
  },
  swagger: readSwagger,
  openapi(attributes, context) {
    const node = readSwagger(attributes, context)
    // The model has one block for both tags.
    return node && { ...node, meta: { ...node.meta, tag: 'openapi' } }
  },
  'openapi-operation': openapi('openapi-operation', { path: text, method: text }),
  'openapi-webhook': openapi('openapi-webhook', { name: text, method: text }),
  'openapi-schemas': openapi('openapi-schemas', {
    schemas: value => (value === '' ? [] : value.split(',')),
    grouped: flag,
  }),
}

/** Reads an operation of a specification that is a file or a URL. */
function readSwagger(attributes: Attributes, context: ReadContext): DocumentBlock | undefined {
  const { src, ...data } =
    readAttributes(attributes, { src: text, path: text, method: text, expanded: flag, fullWidth: flag }) ?? {}
  if (src === undefined) return undefined
  return withId(block('swagger', { data: { ...data, ref: context.reference(src, 'swagger') } }), context)
}

function openapi(type: BlockType, readers: Record<string, (value: string) => unknown>): ReadTarget {
  return (attributes, context) => {
    const read = readAttributes(attributes, { ...readers, spec: text })
    const { spec, ...data } = (read ?? {}) as Record<string, unknown>
    if (typeof spec !== 'string') return undefined
    return withId(block(type, { data: { ...data, ref: context.reference(spec, 'openapi') } }), context)
  }
}

function withId(node: DocumentBlock, { anchors }: ReadContext): DocumentBlock {
  const words = [node.data?.['method'], node.data?.['path'] ?? node.data?.['name'] ?? node.data?.['schemas']]
  return { ...node, meta: { id: anchors.slug(words.filter(Boolean).join(' ')) } }
}

/** Reads a tag that refers to something, with its caption or the link that it holds. */
export function readTargetTag(container: ContainerNode, context: ReadContext): DocumentBlock | undefined {
  const read = targetTags[container.name]
  const node = read?.(container.attributes, context)
  if (!node) return undefined
  if (container.name === 'content-ref' && isOwnLink(container)) return node
  const body = context.readBlocks(container.children)
  if (body.length === 0) return node
  const name = node.type === 'embed' || node.type === 'file' ? 'caption' : 'body'
  return { ...node, fragments: [fragment(name, body)] }
}

/** The link to its target that a content reference holds for other readers. */
function isOwnLink({ attributes, children: [paragraph, ...more] }: ContainerNode): boolean {
  const url = attributes['url']
  if (paragraph?.type !== 'paragraph' || more.length > 0) return paragraph === undefined
  const [link, ...others] = paragraph.children
  if (link?.type !== 'link' || others.length > 0 || link.title) return false
  const [name, ...names] = link.children
  const isNamed = name?.type === 'text' && names.length === 0 && (name.value === url || name.value === link.url)
  return isNamed && (link.data?.target ?? link.url) === url
}

type ReadLayout = (container: ContainerNode, context: ReadContext) => DocumentBlock | undefined

/** Tags that hold blocks. */
export const layoutTags: Record<string, ReadLayout> = {
  hint(container, context) {
    const styles = oneOf('info', 'warning', 'danger', 'success')
    const data = readAttributes(container.attributes, { style: styles, icon: text })
    return data && block('hint', { data: { style: 'info', ...data }, nodes: inside(container, context) })
  },
  if(container, context) {
    if (container.rest === '') return undefined
    return block('if', { data: { expression: container.rest }, nodes: inside(container, context) })
  },
  tabs: group('tabs', 'tab', { fullWidth: flag }),
  tab(container, context) {
    const data = readAttributes(container.attributes, { title: text, icon: text })
    if (!data) return undefined
    const id = context.anchors.slug(data.title ?? 'tab')
    return block('tabs-item', { data, nodes: inside(container, context), id })
  },
  stepper: group('stepper', 'step', {}),
  step(container, context) {
    const data = readAttributes(container.attributes, { icon: text })
    return data && block('stepper-step', { data, nodes: inside(container, context) })
  },
  prompt(container, context) {
    const data = readAttributes(container.attributes, {
      description: text,
      icon: text,
      openInAIProviders: flag,
      defaultExpanded: oneOf('hidden', 'partial', 'full'),
    })
    const nodes = inside(container, context)
    const [code, ...more] = nodes
    const isCode = code?.type === 'code' && code.data?.['raw'] !== true && more.length === 0
    return data?.description !== undefined && isCode ? block('prompt', { data, nodes }) : undefined
  },
  updates(container, context) {
    const read = group('updates', 'update', { format: oneOf('numeric', 'full', 'short') })(container, context)
    return read && { ...read, data: { format: 'full', ...read.data } }
  },
  update(container, context) {
    const data = readAttributes(container.attributes, { date: readUpdateDate, tags: readUpdateTags })
    return data?.date === undefined ? undefined : block('update', { data, nodes: inside(container, context) })
  },
  columns: group('columns', 'column', { fullWidth: flag }),
  column(container, context) {
    const data = readAttributes(container.attributes, {
      width: readLength,
      verticalAlignment: oneOf('top', 'middle', 'bottom'),
    })
    return data && block('column', { data, nodes: inside(container, context) })
  },
  code(container, context) {
    const options = readAttributes(container.attributes, {
      title: text,
      overflow: oneOf('scroll', 'wrap'),
      lineNumbers: flag,
      fullWidth: flag,
      expandable: flag,
      collapsedlinecount: readLineCount,
    })
    if (!options) return undefined
    const { collapsedlinecount: collapsedLineCount, ...others } = options
    const data = { ...others, ...(collapsedLineCount !== undefined && { collapsedLineCount }) }
    const [code, ...more] = container.children
    if (code?.type !== 'code' || more.length > 0) return undefined
    const [node] = context.readBlocks([code])
    return node && { ...node, data: { ...node.data, ...data } }
  },
}

function inside({ children }: ContainerNode, context: ReadContext): DocumentBlock[] {
  return context.readBlocks(children)
}

/** A tag that holds nothing but tags of one other name. */
function group(type: BlockType, item: string, readers: Record<string, (value: string) => unknown>): ReadLayout {
  return (container, context) => {
    const data = readAttributes(container.attributes, readers)
    const isGroup = container.children.every(child => child.type === 'container' && child.name === item)
    if (!data || !isGroup || container.children.length === 0) return undefined
    const nodes = container.children.map(child => layoutTags[item]?.(child as ContainerNode, context))
    return nodes.every(node => node !== undefined) ? block(type, { data, nodes }) : undefined
  }
}
