import type { DocumentBlock, DocumentRef } from '@recto/markdown/schema'
import { referenceKey } from '../model/body.ts'
import { Icon } from '../icons/icon.tsx'
import { inside, uniqueId, type Context } from '../model/context.ts'
import { markOf, withMark } from '../marks/marked.tsx'
import { blocksIn, fieldsOf, fragmentOf, isSet, lengthOf, textField } from '../model/read.ts'
import { inlines, flushFootnotes } from '../text/inlines.tsx'
import type { WriteBlock } from './simple.tsx'
import { tabGroup } from './tab-group.tsx'

/** Blocks that are shown on demand. */
export const expandable: WriteBlock = (block, context) => {
  const within = inside(context, { isOutlined: false })
  const titles = fragmentOf(block, 'expandable-title')
  const isChanged = titles.some(title => markOf(title, context))
  const [title, ...more] = titles
  return (
    <details class="expandable" id={uniqueId(block.meta?.id, context)}>
      <summary dir="auto">
        {isChanged
          ? titles.map(each => withMark(each, inlines(each.nodes, within), within))
          : inlines(title?.nodes, within)}
      </summary>
      <div class="expandable-body">
        {flushFootnotes(within)}
        {context.blocks([...(isChanged ? [] : more), ...fragmentOf(block, 'expandable-body')], within)}
      </div>
    </details>
  )
}

/** Tabs with blocks in them. */
export const tabs: WriteBlock = (block, context) => {
  const within = inside(context, { depth: context.depth + 2, isOutlined: false })
  const items = blocksIn(block).map((item, at) => ({
    title: textField(item, 'title') ?? context.t('blocks.tab', { number: at + 1 }),
    icon: textField(item, 'icon'),
    id: item.meta?.id,
    content: context.blocks(blocksIn(item), within),
  }))
  return tabGroup(items, context, isSet(block, 'fullWidth'))
}

/** A tab, a step or a column outside of its group: what is in it. */
export const loosePart: WriteBlock = (block, context) => context.blocks(blocksIn(block), inside(context))

/** Steps with their numbers. */
export const stepper: WriteBlock = (block, context) => (
  <ol class="stepper">
    {blocksIn(block).map(step => (
      <li class="step" data-icon={textField(step, 'icon') === undefined ? undefined : ''}>
        <span class="step-mark">
          <Icon name={textField(step, 'icon')} />
        </span>
        <div class="step-body">{context.blocks(blocksIn(step), inside(context, { depth: context.depth + 2 }))}</div>
      </li>
    ))}
  </ol>
)

/** Columns side by side where there is room. */
export const columns: WriteBlock = (block, context) => (
  <div class="columns" data-full-width={isSet(block, 'fullWidth') || undefined}>
    {blocksIn(block).map(column => {
      const width = lengthOf(column.data?.['width'])
      const align = ['middle', 'bottom'].find(alignment => alignment === column.data?.['verticalAlignment'])
      return (
        <div class="column" data-align={align} style={width && `--column-width:${width.value}${width.unit}`}>
          {context.blocks(blocksIn(column), inside(context, { depth: context.depth + 2 }))}
        </div>
      )
    })}
  </div>
)

/** Contents within contents. */
const maxIncluded = 8

/** Writes content that several pages share, in its place; nothing where it includes itself. */
export const reusableContent: WriteBlock = (block, context) => {
  const document = includedIn(block, context)
  if (!document) return null
  const including = [...context.including, keyOf(block)]
  return context.blocks(document.nodes, inside(context, { including }))
}

function includedIn(block: DocumentBlock, { input, including }: Context) {
  const key = keyOf(block)
  const isNested = including.includes(key) || including.length >= maxIncluded
  return isNested || !Object.hasOwn(input.included, key) ? undefined : input.included[key]
}

function keyOf(block: DocumentBlock): string {
  return referenceKey(fieldsOf(block.data?.['ref']) as DocumentRef)
}
