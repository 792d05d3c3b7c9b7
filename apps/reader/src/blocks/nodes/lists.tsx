import type { DocumentBlock } from '@recto/markdown/schema'
import { inside, type Context } from '../model/context.ts'
import { markOf } from '../marks/marked.tsx'
import { blocksIn } from '../model/read.ts'
import { inlines, flushFootnotes } from '../text/inlines.tsx'
import type { WriteBlock } from './simple.tsx'

/** A list with numbers. */
export const orderedList: WriteBlock = (block, context) => {
  const start = block.data?.['start']
  const isCounted = typeof start === 'number' && Number.isSafeInteger(start) && start !== 1
  return <ol {...(isCounted && { start })}>{itemsOf(block, context)}</ol>
}

/** A list with marks. */
export const unorderedList: WriteBlock = (block, context) => <ul>{itemsOf(block, context)}</ul>

/** A list of what is done and what is not. */
export const taskList: WriteBlock = (block, context) => <ul class="tasks">{itemsOf(block, context)}</ul>

/** An item that stands in no list. */
export const looseItem: WriteBlock = (block, context) => context.blocks(blocksIn(block), inside(context))

function itemsOf(list: DocumentBlock, context: Context) {
  return blocksIn(list).map(item => {
    const within = inside(context, { depth: context.depth + 2, isOutlined: false })
    const { checked } = item.data ?? {}
    const change = markOf(item, context)?.kind
    if (typeof checked !== 'boolean')
      return (
        <li dir="auto" data-change={change}>
          {bodyOf(item, within)}
        </li>
      )
    return (
      <li class="task" dir="auto" data-change={change}>
        <input
          type="checkbox"
          disabled
          checked={checked}
          aria-label={context.t(checked ? 'blocks.done' : 'blocks.notDone')}
        />
        <div>{bodyOf(item, within)}</div>
      </li>
    )
  })
}

/** The paragraph of an item that is short needs no element. */
function bodyOf(item: DocumentBlock, context: Context) {
  const [first, ...others] = blocksIn(item)
  const isPlain = first?.type === 'paragraph' && !markOf(first, context)
  if (!isPlain || others.some(({ type }) => !type.startsWith('list-'))) return context.blocks(blocksIn(item), context)
  const content = inlines(first.nodes, context)
  return [content, flushFootnotes(context), context.blocks(others, context)]
}
