import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { boxed, withGap, type Flow } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { textParts } from '../text/text-parts.ts'
import { blocksIn } from './containers.ts'
import { indentOf, inlineFlow, inside } from './styles.ts'

const formats: Record<string, Intl.DateTimeFormat> = {
  full: new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }),
  short: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }),
  numeric: new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: 'UTC' }),
}

/** Dated entries beside a line, each below its date and its tags. */
export function* updatesFlow(block: DocumentBlock, context: Context): Flow {
  const { canvas } = context
  const place = inside(context, 14)
  const format = formats[String(block.data?.['format'])] ?? formats['full']
  for (const [at, update] of blocksIn(block).entries()) {
    const flow = function* (): Flow {
      yield* updateLine(update, format, place)
      yield* context.layout(blocksIn(update), place)
    }
    const paint = ({ x, y, height }: { x: number; y: number; height: number }) =>
      canvas.rect({ x, y, width: 1.4, height }, { fill: colors.line })
    const left = indentOf(context, place, 14)
    yield* boxed(withGap(flow(), 0), { left, top: 1, bottom: 2, gap: at === 0 ? 10 : 14, paint })
  }
}

/** The date of an update with its tags; it stays with what follows. */
function updateLine({ data = {} }: DocumentBlock, format: Intl.DateTimeFormat | undefined, context: Context): Flow {
  const time = new Date(String(data['date']))
  const date = Number.isFinite(time.getTime()) ? (format?.format(time) ?? '') : ''
  const tags = (Array.isArray(data['tags']) ? data['tags'] : []) as { tag?: unknown }[]
  const style = { size: sizes.small, color: colors.quiet }
  const parts = [
    ...textParts(date, { ...style, bold: true }),
    ...tags.flatMap(({ tag }) => textParts(`  ·  ${String(tag)}`, style)),
  ]
  return inlineFlow(parts, { ...context, size: sizes.small }, { gap: 0, keep: true })
}
