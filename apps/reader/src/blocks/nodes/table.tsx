import { inside, nextOf, consumeBudget, type Context } from '../model/context.ts'
import { markOf, withMark } from '../marks/marked.tsx'
import { fieldsOf, isSet, lengthOf } from '../model/read.ts'
import { cards } from './cards.tsx'
import type { WriteBlock } from './simple.tsx'
import { cellContent, flowOf } from './table-cell.tsx'
import { readTable, type Table } from './table-data.ts'

/** A table, as a grid or as cards. */
export const table: WriteBlock = (block, context) => {
  const read = readTable(block)
  if (read.columns.length === 0) return null
  if (read.view['type'] === 'cards') return cards(read, context)
  const number = nextOf(context.state, 'table')
  return (
    <div
      class="table-scroll"
      role="region"
      tabindex={0}
      aria-label={context.t('blocks.table', { number })}
      data-full-width={isSet(block, 'fullWidth') || undefined}
    >
      <table>
        <Widths table={read} />
        <Head table={read} context={context} />
        <tbody>{rowsOf(read, inside(context))}</tbody>
      </table>
    </div>
  )
}

function Widths({ table: { columns, view } }: { table: Table }) {
  const widths = columns.map(({ id }) => lengthOf(fieldsOf(view['columnWidths'])[id])?.value)
  if (widths.every(width => width === undefined)) return null
  return (
    <colgroup>
      {widths.map(width => (
        <col style={width === undefined ? undefined : `inline-size:${width}px`} />
      ))}
    </colgroup>
  )
}

/** A head that is hidden is there for those who do not see it. */
function Head({ table: { columns, view }, context }: { table: Table; context: Context }) {
  const isEmpty = columns.every(({ title, titleBlocks }) => title === '' && !titleBlocks)
  if (isEmpty) return null
  return (
    <thead class={view['hideHeader'] === true ? 'visually-hidden' : undefined}>
      <tr>
        {columns.map(({ title, titleBlocks, align }) => (
          <th scope="col" dir="auto" data-align={align}>
            {titleBlocks ? flowOf(titleBlocks, inside(context)) : title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function rowsOf(table: Table, context: Context) {
  return table.rows.map(row => {
    if (!consumeBudget(context, table.columns.length)) return null
    const change = markOf(row.record, context)?.kind
    const isWhole = change !== undefined && change !== 'change'
    return (
      <tr data-change={change}>
        {table.columns.map(column => (
          <td
            dir="auto"
            data-align={column.align}
            data-vertical-align={column.verticalAlign}
            data-type={typeOf(column.type)}
          >
            {isWhole
              ? withMark(row.record, cellContent({ table, row }, column, context), context)
              : cellContent({ table, row }, column, context)}
          </td>
        ))}
      </tr>
    )
  })
}

function typeOf(type: string): string | undefined {
  return ['number', 'rating', 'checkbox', 'image'].find(typeName => typeName === type)
}
