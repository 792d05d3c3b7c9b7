import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Flow } from '../drawing/pieces.ts'
import { linkOf } from './inlines.ts'
import { textParts } from '../text/text-parts.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { operationKey } from '../model/model.ts'
import { titleLine } from './containers.ts'
import { linkBox } from './link-box.ts'
import { captionFlow } from './picture.ts'
import { inlineFlow } from './styles.ts'
import { textOf } from './text-of.ts'

/** A file: its name, its kind and size, and a link to it. */
export function* fileFlow(block: DocumentBlock, context: Context): Flow {
  const ref = block.data?.['ref']
  const { target } = linkOf(ref, context)
  const title = target?.file?.name ?? target?.url ?? 'File'
  const detail = target?.file ? `${target.file.contentType}, ${sizeText(target.file.size)}` : undefined
  yield* linkBox({ kind: 'File', title, ref, ...(detail && { detail }) }, context)
  yield* captionFlow(captionOf(block), context)
}

/** Lays out an embed of another site as a link to it. */
export function* embedFlow(block: DocumentBlock, context: Context): Flow {
  const url = String(block.data?.['url'] ?? '')
  yield* linkBox({ kind: 'Embed', title: url, url }, context)
  yield* captionFlow(captionOf(block), context)
}

/** A box that leads to a page, with its title, unless the block says more than the name of its file. */
export function pageFlow(block: DocumentBlock, context: Context): Flow {
  const ref = block.data?.['ref']
  const { target } = linkOf(ref, context)
  const own = textOf((block.fragments ?? []).flatMap(({ nodes }) => nodes)).trim()
  const words = /^\S+\.md$/i.test(own) ? undefined : own
  return linkBox({ kind: 'See', title: words || target?.title || own || target?.url || 'Page', ref }, context)
}

/** A reusable content that is not there, or an integration: what it names. */
export function namedFlow(block: DocumentBlock, context: Context): Flow {
  const title = block.type === 'reusable-content' ? 'Included content is not available' : block.type
  return linkBox({ kind: 'Note', title, ref: block.data?.['ref'] }, context)
}

const methods: Record<string, string> = {
  get: '#15803d',
  post: '#1d4ed8',
  put: '#b45309',
  patch: '#b45309',
  delete: '#b91c1c',
}

/** An operation, a webhook or schemas of a specification. */
export function* openapiFlow({ data = {}, meta }: DocumentBlock, context: Context): Flow {
  const method = String(data['method'] ?? '').toLowerCase()
  const schemas = Array.isArray(data['schemas']) ? data['schemas'].join(', ') : ''
  const path = String(data['path'] ?? data['name'] ?? schemas)
  const { target, link } = linkOf(data['ref'], context)
  const spec = target?.title ?? target?.url
  const source = spec ?? target?.file?.name
  const title = context.content.targets[operationKey(spec ?? '', method, path)]?.title
  if (title !== undefined) yield* titleLine(title, context, 12)
  const style = { size: sizes.body, color: colors.text, mono: true, bold: true }
  const badge = { ...style, size: sizes.small, color: '#ffffff', background: methods[method] ?? colors.quiet }
  const parts = [
    ...(method === '' ? [] : textParts(`\u00a0${method.toUpperCase()}\u00a0`, badge)),
    ...textParts(method === '' ? path : `\u00a0\u00a0\u00a0${path}`, style),
  ]
  const inlines =
    meta?.id === undefined ? parts : [{ kind: 'anchor' as const, name: context.anchorName(meta.id) }, ...parts]
  yield* inlineFlow(inlines, context, { gap: title === undefined ? 10 : 3, keep: source !== undefined })
  if (source === undefined) return
  const small = { size: sizes.small, color: link ? colors.link : colors.quiet, ...(link && { link }) }
  yield* inlineFlow(textParts(`Specification: ${source}`, small), { ...context, size: sizes.small }, { gap: 2 })
}

function captionOf({ fragments = [] }: DocumentBlock): DocumentBlock[] {
  return fragments.find(({ fragment }) => fragment === 'caption')?.nodes ?? []
}

function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB']
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`
}
