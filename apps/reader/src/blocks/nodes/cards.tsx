import type { ComponentChildren } from 'preact'
import { inside, consumeBudget, type Context } from '../model/context.ts'
import { plainText } from '../model/plain-text.ts'
import { fieldsOf } from '../model/read.ts'
import { linkAttributes, resolve } from '../model/references.ts'
import { Picture } from '../text/picture.tsx'
import { cellContent, flowOf } from './table-cell.tsx'
import { referenceIn, type Column, type Row, type Table } from './table-data.ts'

/** Rows as cards. */
export function cards(table: Table, context: Context): ComponentChildren {
  const within = inside(context, { isOutlined: false })
  return (
    <ul class="cards" data-size={table.view['cardSize'] === 'large' ? 'large' : 'medium'}>
      {table.rows.map(row => consumeBudget(context, 4) && <Card table={table} row={row} context={within} />)}
    </ul>
  )
}

interface CardProps {
  table: Table
  row: Row
  context: Context
}

/** A card; a link with its title covers it, so that other links in it can still be pressed. */
function Card({ table, row, context }: CardProps) {
  const target = resolve(referenceIn(valueOf(row, table.columnOf('targetDefinition'))), context.input)
  const visibleColumns = table.columns.flatMap(column => {
    const content = cellContent({ table, row }, column, context)
    return content === null || content === '' ? [] : [{ column, content }]
  })
  return (
    <li class="card">
      <Cover table={table} row={row} context={context} />
      <div class="card-body">
        {visibleColumns.map(({ column, content }, at) => (
          <div class={at === 0 ? 'card-title' : 'card-text'} dir="auto">
            {at > 0 && <ColumnTitle table={table} column={column} context={context} />}
            {content}
          </div>
        ))}
        {target?.href && (
          <a class="card-link" {...linkAttributes(target, context.input)}>
            <span class={visibleColumns.length > 0 ? 'visually-hidden' : undefined}>
              {titleOf({ table, row }) || target.title}
            </span>
          </a>
        )}
      </div>
    </li>
  )
}

function ColumnTitle({ table, column, context }: { table: Table; column: Column; context: Context }) {
  if (table.view['hideColumnTitle'] === true || (column.title === '' && !column.titleBlocks)) return null
  return <div class="card-label">{column.titleBlocks ? flowOf(column.titleBlocks, context) : column.title}</div>
}

/** The words of the first text of a card. */
function titleOf({ table, row }: { table: Table; row: Row }): string {
  for (const column of table.columns) {
    const words = plainText(table.blocks(valueOf(row, column))?.slice(0, 1) ?? [])
    if (words !== '') return words.slice(0, 200)
  }
  return ''
}

function Cover({ table, row, context }: CardProps) {
  const light = valueOf(row, table.columnOf('coverDefinition'))
  const dark = valueOf(row, table.columnOf('coverDefinitionDark'))
  const image = imageReference(light ?? dark)
  if (image === undefined) return null
  return (
    <Picture
      image={image}
      dark={light !== undefined && dark !== undefined ? imageReference(dark) : undefined}
      objectFit={fieldsOf(light)['objectFit']}
      alt=""
      class="card-cover"
      context={context}
    />
  )
}

/** Covers are images, or files by their id. */
function imageReference(value: unknown): unknown {
  const reference = referenceIn(value)
  if (typeof reference !== 'string') return reference ?? undefined
  return /[/:.]/.test(reference) ? { kind: 'url', url: reference } : { kind: 'file', file: reference }
}

function valueOf({ values }: Row, column: Column | undefined): unknown {
  const value = column && Object.hasOwn(values, column.id) ? values[column.id] : undefined
  return value ?? undefined
}
