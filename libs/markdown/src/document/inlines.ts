import type { FootnoteReference, Image, ImageReference, Link, LinkReference } from 'mdast'
import { readElement, readFootnote } from './inline-elements.ts'
import type { InlineTarget, ReadContext } from './context.ts'
import { pairElements, wordsOf, type InlineNode } from './elements.ts'
import { emojiCode } from './emoji.ts'
import { codeMark, markOf, rawMark, withMark, withoutMarkedEdges } from './marks.ts'
import { InlineBuilder } from './inline-builder.ts'
import { inline } from './nodes.ts'
import type { DocumentInline, DocumentMark, DocumentNode } from './schema.ts'

/** Reads the nodes of a text. */
export function readInlines(nodes: readonly InlineNode[], context: ReadContext): DocumentNode[] {
  const builder = new InlineBuilder()
  addInlines(nodes, { builder, marks: [], context })
  return withoutMarkedEdges(builder.nodes)
}

/** Reads nodes of text into a builder. */
export function addInlines(nodes: readonly InlineNode[], target: InlineTarget): void {
  const paired = nodes.some(({ type }) => type === 'html') ? pairElements(nodes as never) : nodes
  for (const node of paired) addInline(node, target)
}

function addInline(node: InlineNode, target: InlineTarget): void {
  const { builder, marks, context } = target
  const inside = (children: readonly InlineNode[], mark: DocumentMark) =>
    addInlines(children, { ...target, marks: withMark(marks, mark) })
  switch (node.type) {
    case 'text':
      return builder.text(node.value.replace(/[ \t]*\n[ \t]*/g, ' '), marks)
    case 'break':
      return builder.text('\n', marks)
    case 'strong':
      return inside(node.children, markOf('bold'))
    case 'emphasis':
      return inside(node.children, markOf('italic'))
    case 'delete':
      return inside(node.children, markOf('strikethrough'))
    case 'inlineCode':
      return builder.text(node.value.replaceAll('\n', ' '), withMark(marks, codeMark))
    case 'inlineMath':
      return builder.add(inline('inline-math', { data: { formula: node.value } }))
    case 'emoji':
      return builder.add(inline('emoji', { data: { code: emojiCode(node.name) } }))
    case 'link':
    case 'linkReference':
      return addLink(node, target)
    case 'image':
    case 'imageReference':
      return builder.add(readImage(node, context))
    case 'footnoteReference':
      return addAnnotation(node, target)
    case 'element':
      return readElement(node, target)
    case 'raw':
    case 'html':
      return builder.text(node.value.replace(/\s*\n\s*/g, ' '), [rawMark])
    case 'tag':
      return builder.text(node.source, [rawMark])
    default:
      node satisfies never
  }
}

/** The destination and title of a link or an image; a reference has them in its definition. */
function resourceOf(node: Link | Image | LinkReference | ImageReference, context: ReadContext) {
  const isReference = node.type === 'linkReference' || node.type === 'imageReference'
  const definition = isReference ? context.definitions.get(node.identifier) : node
  const target = definition?.data?.target ?? definition?.url ?? ''
  const title = definition?.title?.replace(/\s*\n\s*/g, ' ') || undefined
  context.spend(target.length + (title?.length ?? 0))
  return { target, title }
}

function addLink(node: Link | LinkReference, { builder, marks, context }: InlineTarget): void {
  const { target, title } = resourceOf(node, context)
  if (title === 'mention' && wordsOf(node.children) === target)
    return builder.add(inline('mention', { data: { ref: context.reference(target, 'mention') } }))
  const ref = context.reference(target, title === 'mention' ? 'mention' : 'link')
  const inside = new InlineBuilder()
  addInlines(node.children, { builder: inside, marks, context })
  builder.add(inline('link', { data: { ref, title }, nodes: withoutMarkedEdges(inside.nodes) }))
}

/** Reads an image of Markdown; its title is the caption. */
export function readImage(node: Image | ImageReference, context: ReadContext): DocumentInline {
  const { target, title } = resourceOf(node, context)
  const ref = context.reference(target, 'image')
  return inline('inline-image', { data: { ref, alt: (node.alt ?? '').replace(/\s*\n\s*/g, ' '), caption: title } })
}

function addAnnotation(node: FootnoteReference, { builder, context }: InlineTarget): void {
  const body = readFootnote(node.identifier, context)
  if (!body) return builder.text(context.sourceOf([node]), [rawMark])
  builder.add(inline('annotation', { nodes: [builder.takeWord()], fragments: [body] }))
}
