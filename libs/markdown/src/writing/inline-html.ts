import { emojiFromCodePoints } from '@recto/text'
import { decodeEntities } from '../syntax/attributes.ts'
import { isRaw, writeColors } from '../document/marks.ts'
import type { DocumentBlock, DocumentInline, DocumentMark, DocumentNode, DocumentRef } from '../document/schema.ts'
import { escapeHtml, writeAttribute, writeAttributes, writeTargetAttribute } from './escape.ts'
import { groupPieces, tagOfMark, type MarkedGroup, type Piece } from './pieces.ts'

/** State that all parts of writing one document share. */
export interface WriteContext {
  target(ref: DocumentRef, kind?: 'openapi'): string
  /** Keeps the body of a footnote and returns its number. */
  addFootnote(annotation: DocumentInline): number
  /** Within code `<strong>` is a highlighted line, so that `<b>` is bold text. */
  isCode?: boolean
}

/** Writes text as HTML. */
export function inlineHtml(nodes: readonly DocumentNode[], context: WriteContext): string {
  const write = (piece: Piece | MarkedGroup): string => {
    if ('mark' in piece && context.isCode && piece.mark.type === 'bold')
      return `<b>${piece.inside.map(write).join('')}</b>`
    if ('mark' in piece) return `${openMark(piece.mark)}${piece.inside.map(write).join('')}</${tagOfMark(piece.mark)}>`
    if ('inline' in piece) return inlineElement(piece.inline, context)
    if ('footnote' in piece) return ''
    if (isRaw(piece.marks)) return piece.text
    const text = escapeHtml(piece.text).replaceAll('\n', '<br>')
    return piece.marks.length > 0 ? `<code>${text}</code>` : text
  }
  return groupPieces(nodes, 'html').map(write).join('')
}

/** The start tag of a mark. */
export function openMark(mark: DocumentMark): string {
  return mark.type === 'color' ? `<mark style="${writeColors(mark)}">` : `<${tagOfMark(mark)}>`
}

function inlineElement(node: DocumentInline, context: WriteContext): string {
  const data = node.data ?? {}
  const text = (name: string) => String(data[name] ?? '')
  switch (node.type) {
    case 'link':
    case 'mention': {
      const target = context.target(data['ref'] as DocumentRef)
      const words = node.type === 'link' ? inlineHtml(node.nodes ?? [], context) : escapeHtml(decodeEntities(target))
      return `${openLink(node, context)}${words}</a>`
    }
    case 'emoji':
      return emojiHtml(text('code'))
    case 'icon':
      return iconHtml(text('icon'))
    case 'expression':
      return `<code class="expression">${escapeHtml(text('expression'))}</code>`
    case 'inline-math':
      return mathHtml(text('formula'))
    case 'inline-image':
      return inlineImageHtml(node, context)
    case 'button':
      return `${openButton(node, context)}${escapeHtml(text('label'))}</a>`
    case 'annotation':
      return `${openFootnote(node, context)}${inlineHtml(node.nodes ?? [], context)}</a>`
    default:
      return inlineHtml(node.nodes ?? [], context)
  }
}

/** The start tag of a link or a mention. */
export function openLink({ type, data = {} }: DocumentInline, context: WriteContext): string {
  const title = type === 'mention' ? 'mention' : (data['title'] as string | undefined)
  return `<a href=${writeTargetAttribute(context.target(data['ref'] as DocumentRef))}${writeAttributes({ title })}>`
}

/** The start tag of what has a footnote. */
export function openFootnote(annotation: DocumentInline, context: WriteContext): string {
  return `<a data-footnote-ref href="#user-content-fn-${context.addFootnote(annotation)}">`
}

/** Writes an emoji as it stands where its short name is not read. */
export function emojiHtml(code: string): string {
  const attributes = writeAttributes({ 'data-gb-custom-inline': true, 'data-tag': 'emoji', 'data-code': code })
  return `<span${attributes}>${escapeHtml(emojiFromCodePoints(code) ?? '')}</span>`
}

/** Writes a formula as it stands where `$$` is not read. */
export function mathHtml(formula: string): string {
  return `<span class="math">${escapeHtml(formula).replaceAll('\n', '&#10;')}</span>`
}

/** Writes an icon. */
export function iconHtml(icon: string): string {
  return `<i class="fa-${icon}">:${icon}:</i>`
}

/** The start tag of a button. */
export function openButton({ data }: DocumentInline, context: WriteContext): string {
  const { ref, kind, icon } = data as { ref: DocumentRef; kind: string; icon?: string }
  const href = writeTargetAttribute(context.target(ref))
  return `<a href=${href} class="button ${kind}"${writeAttributes({ 'data-icon': icon })}>`
}

/** Writes an image within text as `<img>` with its caption as title, or as `<picture>` when it has a dark variant. */
export function inlineImageHtml({ data }: DocumentInline, context: WriteContext): string {
  const { ref, refDark, alt, caption, size } = data as Record<'alt' | 'caption' | 'size', string | undefined> & {
    ref: DocumentRef
    refDark?: DocumentRef
  }
  const src = writeTargetAttribute(context.target(ref))
  const others = writeAttributes({ alt: alt ?? '', title: caption, 'data-size': size })
  return withDarkVariant(`<img src=${src}${others}>`, refDark, context)
}

/** Puts an image in a `<picture>` with its dark variant. */
export function withDarkVariant(image: string, refDark: DocumentRef | undefined, context: WriteContext): string {
  if (!refDark) return image
  const srcset = writeTargetAttribute(context.target(refDark))
  return `<picture><source srcset=${srcset} media="(prefers-color-scheme: dark)">${image}</picture>`
}

/** Writes paragraphs and lists as HTML; a single paragraph stands without tags where `isCell`. */
export function flowHtml(blocks: readonly DocumentBlock[], context: WriteContext, isCell = false): string {
  const [only] = blocks
  if (isCell && blocks.length === 1 && only?.type === 'paragraph' && !only.data?.['align'])
    return inlineHtml(only.nodes ?? [], context)
  return blocks.map(node => blockHtml(node, context)).join('')
}

/** How an alignment stands in HTML. */
export const htmlAligns: Record<string, string> = { start: 'left', center: 'center', end: 'right' }

function blockHtml(node: DocumentBlock, context: WriteContext): string {
  if (node.type === 'list-ordered' || node.type === 'list-unordered' || node.type === 'list-tasks') {
    const tag = node.type === 'list-ordered' ? 'ol' : 'ul'
    const items = (node.nodes ?? []).map(
      item => `<li>${flowHtml((item as DocumentBlock).nodes as DocumentBlock[], context, true)}</li>`,
    )
    return `<${tag}>${items.join('')}</${tag}>`
  }
  const align = htmlAligns[String(node.data?.['align'])]
  const attribute = align ? ` align=${writeAttribute(align)}` : ''
  return `<p${attribute}>${inlineHtml(node.nodes ?? [], context)}</p>`
}
