import { decodeEntities } from '../syntax/attributes.ts'
import { parseHtml } from '../syntax/html.ts'
import type { ReadContext } from './context.ts'
import { hasOnly, htmlInlines, type ElementNode } from './elements.ts'
import { pictureParts } from './inline-elements.ts'
import { readInlines } from './inlines.ts'
import { block, filledFragment, fragment, textNode } from './nodes.ts'
import { isBlank, readFlow, trimmed } from './html-flow.ts'
import { readCode } from './html-code.ts'
import { readHtmlTable } from './html-tables.ts'
import type { DocumentBlock, DocumentNode } from './schema.ts'

/** Reads a piece of HTML; undefined when any of it is not understood. */
export function readHtmlBlocks(source: string, context: ReadContext): DocumentBlock[] | undefined {
  const parsed = parseHtml(source)
  if (!parsed) return undefined
  const nodes = htmlInlines(parsed, source).filter(node => !isBlank(node))
  return all(nodes.map(node => (node.type === 'element' ? readElementBlock(node, context) : undefined)))
}

function all(parts: (DocumentBlock[] | undefined)[]): DocumentBlock[] | undefined {
  const blocks: DocumentBlock[] = []
  for (const part of parts) {
    if (!part) return undefined
    blocks.push(...part)
  }
  return blocks.length > 0 ? blocks : undefined
}

function readElementBlock(element: ElementNode, context: ReadContext): DocumentBlock[] | undefined {
  switch (element.tag) {
    case 'img':
    case 'figure':
    case 'picture': {
      const drawing = readDrawing(element, context)
      if (drawing) return [drawing]
      const image = readFigure(element, context)
      return image && [block('images', { data: {}, nodes: [image] })]
    }
    case 'pre': {
      const code = readCode(element, context)
      return code && [code]
    }
    case 'div':
      return readImages(element, context)
    case 'table': {
      const table = readHtmlTable(element, context)
      return table && [table]
    }
    case 'p':
    case 'ul':
    case 'ol':
      return readFlow([element], context)
    case 'details':
      return readDetails(element, context)
    default:
      return undefined
  }
}

/** Reads `<div>` around figures, with their alignment. */
export function readImages(element: ElementNode, context: ReadContext): DocumentBlock[] | undefined {
  const { align, 'data-full-width': fullWidth, 'data-with-frame': withFrame } = element.attributes
  if (!hasOnly(element, 'align', 'data-full-width', 'data-with-frame')) return undefined
  if (align !== undefined && !['left', 'center', 'right'].includes(align)) return undefined
  const children = element.children.filter(child => !isBlank(child))
  const images = children.map(child =>
    child.type === 'element' && ['figure', 'picture', 'img'].includes(child.tag)
      ? readFigure(child, context)
      : undefined,
  )
  if (images.length === 0 || !images.every(image => image !== undefined)) return undefined
  const flag = (value: string | undefined) => (value === undefined ? undefined : value === 'true')
  const data = { align, fullWidth: flag(fullWidth), withFrame: flag(withFrame) }
  return [block('images', { data, nodes: images })]
}

function readFigure(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  if (element.tag !== 'figure') return readImage(element, context)
  const [picture, caption, ...more] = element.children.filter(child => !isBlank(child))
  if (!hasOnly(element) || more.length > 0 || picture?.type !== 'element') return undefined
  const image = readImage(picture, context)
  if (!image || !caption) return image
  if (caption.type !== 'element' || caption.tag !== 'figcaption' || !hasOnly(caption)) return undefined
  const body = readFlow(caption.children, context)
  if (!body) return undefined
  return { ...image, fragments: body.length > 0 ? [fragment('caption', body)] : [] }
}

/** A drawing is an image of a class of its own; one without a file has no source. */
function readDrawing(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const { src = '', alt, class: name } = element.attributes
  if (element.tag !== 'img' || name !== 'gitbook-drawing' || !hasOnly(element, 'src', 'alt', 'class')) return undefined
  const ref = src === '' ? undefined : context.reference(src, 'image')
  return block('drawing', { data: { ref, alt: alt ? decodeEntities(alt) : undefined } })
}

function readImage(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const parts = element.tag === 'picture' ? pictureParts(element) : { image: element, dark: undefined }
  if (!parts || parts.image.tag !== 'img') return undefined
  const { src, alt, width, height } = parts.image.attributes
  if (src === undefined || !hasOnly(parts.image, 'src', 'alt', 'width', 'height')) return undefined
  const wide = readLength(width)
  const high = readLength(height)
  if ((width !== undefined && wide === undefined) || (height !== undefined && high === undefined)) return undefined
  const ref = context.reference(src, 'image')
  const refDark = parts.dark === undefined ? undefined : context.reference(parts.dark, 'image')
  const data = { ref, refDark, alt: decodeEntities(alt ?? ''), width: wide, height: high }
  return block('image', { data, fragments: [] })
}

/** Reads `375`, `375px` or `50%`. */
export function readLength(value: string | undefined): number | { value: number; unit: string } | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(px|%)?$/.exec(value ?? '') ?? []
  if (number === undefined || String(Number(number)) !== number) return undefined
  return unit ? { value: Number(number), unit } : Number(number)
}

function readDetails(element: ElementNode, context: ReadContext): DocumentBlock[] | undefined {
  const [summary, ...body] = element.children.filter(
    (child, at, { length }) => !isBlank(child) || (at > 0 && at < length - 1),
  )
  if (!hasOnly(element) || summary?.type !== 'element' || summary.tag !== 'summary' || !hasOnly(summary))
    return undefined
  const read = readFlow(body, context)
  return read && [expandable(trimmed(readInlines(summary.children, context)), read, context)]
}

/** Makes an expandable of its title and body. */
export function expandable(title: DocumentNode[], body: DocumentBlock[], context: ReadContext): DocumentBlock {
  const words = title.flatMap(node => (node.object === 'text' ? node.leaves.map(({ text }) => text) : [])).join('')
  const nodes = title.length > 0 ? title : [textNode('')]
  return block('expandable', {
    id: context.anchors.slug(words),
    fragments: [fragment('expandable-title', [block('paragraph', { nodes })]), filledFragment('expandable-body', body)],
  })
}

/** Reads the title of `<summary>`; undefined for other HTML. */
export function readSummary(source: string, context: ReadContext): DocumentNode[] | undefined {
  const [summary, ...more] = htmlInlines(parseHtml(source) ?? [], source).filter(node => !isBlank(node))
  const isSummary = summary?.type === 'element' && summary.tag === 'summary' && hasOnly(summary) && more.length === 0
  return isSummary ? trimmed(readInlines(summary.children, context)) : undefined
}
