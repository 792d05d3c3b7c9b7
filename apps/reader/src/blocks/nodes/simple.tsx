import { meetsCondition } from '@recto/expressions'
import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { evaluation, inside, scopeOf, uniqueId, type Context } from '../model/context.ts'
import { plainText } from '../model/plain-text.ts'
import { blocksIn, textField } from '../model/read.ts'
import { Formula } from '../text/formula.tsx'
import { withNotes } from '../text/inlines.tsx'

/** Writes a block. */
export type WriteBlock = (block: DocumentBlock, context: Context) => ComponentChildren

/** `center` and `end`; the start is where text begins anyway. */
function alignOf(block: DocumentBlock): string | undefined {
  const align = textField(block, 'align')
  return align === 'center' ? align : align === 'end' || align === 'right' ? 'end' : undefined
}

/** A paragraph; one without words takes no room. */
export const paragraph: WriteBlock = (block, context) => {
  const isEmpty = (block.nodes ?? []).every(
    node => node.object === 'text' && node.leaves.every(({ text }) => text === ''),
  )
  if (isEmpty) return null
  return withNotes(block.nodes, inside(context), content => (
    <p dir="auto" data-align={alignOf(block)}>
      {content}
    </p>
  ))
}

/** A heading with a link to itself; the title of the page is the one above. */
export function heading(depth: 1 | 2 | 3): WriteBlock {
  const Tag = `h${depth + 1}` as 'h2' | 'h3' | 'h4'
  return (block, context) => {
    const title = plainText(block.nodes ?? [], evaluation(context))
    const id = uniqueId(block.meta?.id, context)
    if (context.isOutlined && title !== '') context.state.outline.push({ id, title, depth })
    return withNotes(block.nodes, inside(context), content => (
      <Tag id={id} dir="auto" data-align={alignOf(block)}>
        {content}
        {title !== '' && <a class="anchor" href={`#${id}`} aria-label={context.t('blocks.anchor')} />}
      </Tag>
    ))
  }
}

/** A line across. */
export const divider: WriteBlock = () => <hr />

/** Blocks that are quoted. */
export const quote: WriteBlock = (block, context) => (
  <blockquote dir="auto">{context.blocks(blocksIn(block), inside(context, { isOutlined: false }))}</blockquote>
)

const hintStyles = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'triangle-exclamation',
  danger: 'circle-exclamation',
}

/** Blocks that stand out, with what they are in words for those who do not see the colour. */
export const hint: WriteBlock = (block, context) => {
  const style = (textField(block, 'style') ?? 'info') as keyof typeof hintStyles
  const hintStyle = Object.hasOwn(hintStyles, style) ? style : 'info'
  return (
    <div class="hint" data-style={hintStyle} role="note" aria-label={context.t(`blocks.hint.${hintStyle}`)}>
      <span class="hint-icon">
        <Icon name={textField(block, 'icon') ?? hintStyles[hintStyle]} />
      </span>
      <div class="hint-body">{context.blocks(blocksIn(block), inside(context, { isOutlined: false }))}</div>
    </div>
  )
}

/** Blocks that those see who meet a condition. */
export const conditional: WriteBlock = (block, context) => {
  const isMet = meetsCondition(textField(block, 'expression') ?? '', scopeOf(context))
  return isMet ? context.blocks(blocksIn(block), inside(context)) : null
}

/** A formula on a line of its own, which scrolls when it is wide. */
export const math: WriteBlock = (block, context) => (
  <div class="math" tabindex={0} role="group" aria-label={textField(block, 'info') ?? context.t('blocks.formula')}>
    <Formula formula={textField(block, 'formula') ?? ''} isDisplay context={context} />
  </div>
)
