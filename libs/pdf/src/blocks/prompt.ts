import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { boxed, panel, type Flow } from '../drawing/pieces.ts'
import { colors } from '../drawing/theme.ts'
import { blocksIn, titleLine } from './containers.ts'
import { indentOf, inside } from './styles.ts'

/** A prompt for an AI assistant: what it is for, then its text. */
export function promptFlow(block: DocumentBlock, context: Context): Flow {
  const { canvas, width } = context
  const place = inside(context, 20)
  const flow = function* (): Flow {
    const { description } = block.data ?? {}
    if (typeof description === 'string' && description !== '') yield* titleLine(description, place, 0)
    yield* context.layout(blocksIn(block), place)
  }
  const paint = panel(canvas, { width, border: colors.line })
  return boxed(flow(), { left: indentOf(context, place, 10), top: 7, bottom: 9, gap: 9, paint })
}
