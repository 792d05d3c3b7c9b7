import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { withMark, type Flow } from '../drawing/pieces.ts'
import { textParts } from '../text/text-parts.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { codeFlow } from './code.ts'
import {
  blocksIn,
  columnsFlow,
  conditionFlow,
  expandableFlow,
  hintFlow,
  quoteFlow,
  stepperFlow,
  tabsFlow,
} from './containers.ts'
import { listFlow } from './lists.ts'
import { imagesFlow, pictureFlow } from './picture.ts'
import { embedFlow, fileFlow, namedFlow, openapiFlow, pageFlow } from './references.ts'
import { promptFlow } from './prompt.ts'
import { inlineFlow, inside, textFlow } from './styles.ts'
import { tableFlow } from './table.ts'
import { textOf } from './text-of.ts'
import { updatesFlow } from './updates.ts'

type BlockFlow = (block: DocumentBlock, context: Context) => Flow

/** Lays blocks out, one below the other. */
export function* layoutBlocks(blocks: readonly DocumentBlock[], context: Context): Flow {
  for (const block of blocks) yield* flows[block.type](block, context)
}

const inner: BlockFlow = (block, context) => context.layout(blocksIn(block), context)

const flows: Record<DocumentBlock['type'], BlockFlow> = {
  paragraph: paragraphFlow,
  'heading-1': (block, context) => headingFlow(block, 0, context),
  'heading-2': (block, context) => headingFlow(block, 1, context),
  'heading-3': (block, context) => headingFlow(block, 2, context),
  'list-ordered': listFlow,
  'list-unordered': listFlow,
  'list-tasks': listFlow,
  'list-item': inner,
  divider: (_block, context) => [dividerPiece(context)],
  blockquote: quoteFlow,
  hint: hintFlow,
  if: conditionFlow,
  images: imagesFlow,
  image: ({ data = {} }, context) => pictureFlow(data['ref'], { alt: String(data['alt'] ?? '') }, context),
  file: fileFlow,
  drawing: ({ data = {} }, context) => pictureFlow(data['ref'], { alt: 'Drawing' }, context),
  embed: embedFlow,
  code: codeFlow,
  'code-line': (block, context) => textFlow(block.nodes ?? [], context),
  math: mathFlow,
  expandable: expandableFlow,
  tabs: tabsFlow,
  'tabs-item': inner,
  table: tableFlow,
  swagger: openapiFlow,
  'openapi-operation': openapiFlow,
  'openapi-schemas': openapiFlow,
  'openapi-webhook': openapiFlow,
  'content-ref': pageFlow,
  integration: namedFlow,
  'reusable-content': namedFlow,
  stepper: stepperFlow,
  'stepper-step': inner,
  prompt: promptFlow,
  updates: updatesFlow,
  update: inner,
  columns: columnsFlow,
  column: inner,
}

function paragraphFlow({ data = {}, nodes = [] }: DocumentBlock, context: Context): Flow {
  const { align: alignment } = data
  const align = alignment === 'center' || alignment === 'end' || alignment === 'right' ? alignment : 'start'
  // The marks of list items and table cells set their own distance.
  const gap = context.depth === 0 ? context.size * 0.75 : context.size * 0.45
  return textFlow(nodes, context, { align, gap })
}

/** A heading stays with what follows; at the outermost level it is part of the outline. */
function headingFlow({ nodes = [], meta }: DocumentBlock, level: 0 | 1 | 2, context: Context): Flow {
  const size = sizes.headings[level]
  const title = textOf(nodes).trim()
  const style = { size, color: colors.heading, bold: true }
  const flow = textFlow(nodes, context, { size, lead: 1.3, gap: size * 1.25, keep: true, style })
  return withMark(flow, ({ y }) => {
    if (title !== '') context.outline(title, level + 1, y)
    if (meta?.id !== undefined) context.anchor(meta.id, y)
  })
}

function dividerPiece({ canvas, width }: Context) {
  const draw = ({ x, y }: { x: number; y: number }) =>
    canvas.line({ x, y: y + 4 }, { x: x + width, y: y + 4 }, { color: colors.line })
  return { height: 8, gap: 10, draw }
}

/** A formula in the middle; one that is not understood is shown as it is written. */
function mathFlow({ data = {} }: DocumentBlock, context: Context): Flow {
  const formula = String(data['formula'] ?? '')
  const math = context.assets.math(formula, { size: context.size * 1.1, isDisplay: true, width: context.width })
  if (math) return inlineFlow([{ kind: 'object', object: math }], context, { align: 'center', gap: 10 })
  const style = { size: sizes.code, color: colors.text, mono: true, background: colors.inlineCode }
  return inlineFlow(textParts(formula, style), inside(context, 0), { gap: 9 })
}
