import { decodeEntities } from '../syntax/attributes.ts'
import { sourceSet } from '../outline/references.ts'
import { footnoteName, type InlineTarget, type ReadContext } from './context.ts'
import { hasOnly, wordsOf, type ElementNode } from './elements.ts'
import { InlineBuilder } from './inline-builder.ts'
import { codeMark, markOf, rawMark, readColors, withMark, withoutMarkedEdges } from './marks.ts'
import { filledFragment, inline, textNode } from './nodes.ts'
import type { DocumentFragment, DocumentInline, DocumentMark } from './schema.ts'

const simpleMarks: Record<string, DocumentMark> = {
  b: markOf('bold'),
  strong: markOf('bold'),
  em: markOf('italic'),
  i: markOf('italic'),
  del: markOf('strikethrough'),
  s: markOf('strikethrough'),
  kbd: markOf('keyboard'),
  sup: markOf('superscript'),
  sub: markOf('subscript'),
  code: codeMark,
}

/** Reads an element within text; one that is not understood keeps its tags as they were written, around what is in it. */
export function readElement(element: ElementNode, target: InlineTarget): void {
  const { builder, marks, context } = target
  const mark = elementMark(element)
  if (mark) return context.addInlines(element.children, { ...target, marks: withMark(marks, mark) })
  if (element.tag === 'br' && hasOnly(element)) return builder.text('\n', marks)
  const node = elementInline(element, target)
  if (node) return builder.add(node)
  builder.text(element.open.replace(/\s*\n\s*/g, ' '), [rawMark])
  context.addInlines(element.children, target)
  builder.text(element.close, [rawMark])
}

function elementMark(element: ElementNode): DocumentMark | undefined {
  if (element.tag === 'mark' && hasOnly(element, 'style')) return readColors(element.attributes['style'] ?? '')
  return hasOnly(element) ? simpleMarks[element.tag] : undefined
}

function elementInline(element: ElementNode, target: InlineTarget): DocumentInline | undefined {
  const { attributes, children, tag } = element
  const classes = attributes['class'] ?? ''
  if (tag === 'code' && hasOnly(element, 'class') && classes === 'expression' && isPlain(element))
    return inline('expression', { data: { expression: wordsOf(children) } })
  if (tag === 'i' && hasOnly(element, 'class') && /^fa-[\w-]+$/.test(classes) && isLabelOf(element, classes))
    return inline('icon', { data: { icon: classes.slice(3) } })
  if (tag === 'span') return spanOf(element)
  if (tag === 'img') return imageOf(element, undefined, target.context)
  if (tag === 'picture') return pictureOf(element, target.context)
  if (tag === 'a') return anchorOf(element, target)
  return undefined
}

/** `<span class="math">` and `<span data-gb-custom-inline data-tag="emoji" data-code="1f680">`, as they stand within HTML. */
function spanOf(element: ElementNode): DocumentInline | undefined {
  const { class: name, 'data-tag': tag, 'data-code': code } = element.attributes
  if (name === 'math' && hasOnly(element, 'class') && isPlain(element))
    return inline('inline-math', { data: { formula: wordsOf(element.children) } })
  const isEmoji = tag === 'emoji' && hasOnly(element, 'data-gb-custom-inline', 'data-tag', 'data-code')
  return isEmoji && code !== undefined ? inline('emoji', { data: { code: decodeEntities(code) } }) : undefined
}

function isPlain({ children }: ElementNode): boolean {
  return children.every(({ type }) => type === 'text')
}

/** An icon holds its name between colons, or nothing; the name may be that of an emoji. */
function isLabelOf({ children }: ElementNode, name: string): boolean {
  const texts = children.map(child =>
    child.type === 'emoji' ? `:${child.name}:` : child.type === 'text' ? child.value : '<',
  )
  return ['', `:${name.slice(3)}:`, `:${name}:`].includes(texts.join('').trim())
}

function anchorOf(element: ElementNode, { marks, context }: InlineTarget): DocumentInline | undefined {
  const { href, class: classes = '', 'data-icon': icon } = element.attributes
  if (href === undefined) return undefined
  if (hasOnly(element, 'data-footnote-ref', 'href') && element.attributes['data-footnote-ref'] !== undefined)
    return footnoteOf(element, footnoteName(href), { marks, context })
  const kind = classes === 'button secondary' ? 'secondary' : 'primary'
  if (hasOnly(element, 'href', 'class', 'data-icon') && /^button(?: primary| secondary)?$/.test(classes)) {
    if (!isPlain(element)) return undefined
    const ref = context.reference(href, 'button')
    return inline('button', { data: { label: wordsOf(element.children), kind, icon, ref } })
  }
  if (!hasOnly(element, 'href', 'title')) return undefined
  const title = element.attributes['title'] === undefined ? undefined : decodeEntities(element.attributes['title'])
  if (title === 'mention' && isPlain(element) && wordsOf(element.children) === decodeEntities(href))
    return inline('mention', { data: { ref: context.reference(href, 'mention') } })
  const inside = new InlineBuilder()
  context.addInlines(element.children, { builder: inside, marks, context })
  const ref = context.reference(href, title === 'mention' ? 'mention' : 'link')
  return inline('link', { data: { ref, title }, nodes: withoutMarkedEdges(inside.nodes) })
}

function footnoteOf(
  element: ElementNode,
  name: string | undefined,
  { marks, context }: Pick<InlineTarget, 'marks' | 'context'>,
): DocumentInline | undefined {
  const body = name === undefined ? undefined : readFootnote(name, context)
  if (!body) return undefined
  const inside = new InlineBuilder()
  context.addInlines(element.children, { builder: inside, marks, context })
  const nodes = withoutMarkedEdges(inside.nodes)
  return inline('annotation', { nodes: nodes.length > 0 ? nodes : [textNode('')], fragments: [body] })
}

/** The body of a footnote; undefined when there is none, or within another one. */
export function readFootnote(name: string, context: ReadContext): DocumentFragment | undefined {
  const definition = context.footnotes.get(name)
  if (!definition || context.isInFootnote) return undefined
  const { start, end } = definition.position ?? {}
  context.spend((end?.offset ?? 0) - (start?.offset ?? 0))
  context.isInFootnote = true
  const body = context.readBlocks(definition.children)
  context.isInFootnote = false
  return filledFragment('annotation-body', body)
}

function imageOf(element: ElementNode, dark: string | undefined, context: ReadContext): DocumentInline | undefined {
  const { src, alt, title, 'data-size': size } = element.attributes
  if (src === undefined || !hasOnly(element, 'src', 'alt', 'title', 'data-size')) return undefined
  if (size !== undefined && size !== 'line' && size !== 'original') return undefined
  const ref = context.reference(src, 'image')
  const refDark = dark === undefined ? undefined : context.reference(dark, 'image')
  const caption = title && decodeEntities(title)
  return inline('inline-image', { data: { ref, refDark, alt: decodeEntities(alt ?? ''), caption, size } })
}

/** The source of the dark variant in a picture, and its image; undefined when it holds anything else. */
export function pictureParts(element: ElementNode): { image: ElementNode; dark: string } | undefined {
  const children = element.children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  const [source, image, ...more] = children
  if (source?.type !== 'element' || image?.type !== 'element' || more.length > 0 || !hasOnly(element)) return undefined
  const { srcset, media = '' } = source.attributes
  const [dark, ...others] = sourceSet(srcset)
  const isDark =
    source.tag === 'source' && hasOnly(source, 'srcset', 'media') && /prefers-color-scheme: *dark/.test(media)
  return isDark && image.tag === 'img' && dark !== undefined && dark === srcset && others.length === 0
    ? { image, dark }
    : undefined
}

function pictureOf(element: ElementNode, context: ReadContext): DocumentInline | undefined {
  const parts = pictureParts(element)
  return parts && imageOf(parts.image, parts.dark, context)
}
