import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { inside, spendText, type Context } from '../model/context.ts'
import { markOf } from '../marks/marked.tsx'
import { emojiText } from '../model/plain-text.ts'
import { fieldsOf, textsOf } from '../model/read.ts'
import { cellReference, linkAttributes, resolve } from '../model/references.ts'
import { inlines, flushFootnotes } from '../text/inlines.tsx'
import { colorName } from '../text/leaves.tsx'
import { Picture } from '../text/picture.tsx'
import { referenceIn, type Column, type Row, type Table } from './table-data.ts'

/** The content of a cell. */
export function cellContent(
  { table, row }: { table: Table; row: Row },
  column: Column,
  context: Context,
): ComponentChildren {
  const value = Object.hasOwn(row.values, column.id) ? row.values[column.id] : undefined
  if (value === undefined || value === null) return null
  const blocks = table.blocks(value)
  if (column.type === 'text' || blocks) {
    return blocks ? flowOf(blocks, context) : typeof value === 'string' ? null : String(value)
  }
  const labels = textsOf(Object.hasOwn(row.labels, column.id) ? row.labels[column.id] : undefined)
  const write = Object.hasOwn(writers, column.type) ? writers[column.type] : undefined
  return write?.({ value, labels, column, context }) ?? plainValue(value)
}

/** A single paragraph needs no element of its own. */
export function flowOf(blocks: DocumentBlock[], context: Context): ComponentChildren {
  const within = inside(context, { isOutlined: false })
  const [only, ...more] = blocks
  if (only?.type !== 'paragraph' || more.length > 0 || markOf(only, context)) return context.blocks(blocks, within)
  const content = inlines(only.nodes, within)
  return [content, flushFootnotes(context)]
}

interface Cell {
  value: unknown
  labels: string[]
  column: Column
  context: Context
}

const writers: Record<string, (cell: Cell) => ComponentChildren> = {
  number: ({ value, context }) => (typeof value === 'number' ? numberText(value, context) : null),
  rating: ({ value, column, context }) => (typeof value === 'number' ? rating(value, column.max, context) : null),
  checkbox: ({ value, context }) => (
    <input
      type="checkbox"
      disabled
      checked={value === true}
      aria-label={context.t(value === true ? 'blocks.yes' : 'blocks.no')}
    />
  ),
  select: ({ value, column, context }) => (
    <span class="tags">{textsOf(Array.isArray(value) ? value : [value]).map(tag(column, context))}</span>
  ),
  files: cell => references(cell, 'file'),
  users: cell => references(cell, 'user'),
  'content-ref': ({ value, labels, context }) => (
    <ReferenceLink reference={referenceIn(value)} label={labels[0]} context={context} />
  ),
  image: ({ value, context }) => (
    <Picture
      image={referenceIn(value)}
      objectFit={fieldsOf(value)['objectFit']}
      alt=""
      class="cell-image"
      context={context}
    />
  ),
}

function plainValue(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

function numberText(value: number, { input }: Context): string {
  try {
    return new Intl.NumberFormat(input.locale, { maximumFractionDigits: 20 }).format(value)
  } catch {
    return String(value)
  }
}

function rating(value: number, max: number, context: Context): ComponentChildren {
  const label = context.t('blocks.rating', { value, max })
  const full = Math.min(Math.max(Math.round(value), 0), max)
  if (max > 10) return label
  return (
    <span class="rating" role="img" aria-label={label}>
      {'★'.repeat(full)}
      <span class="rating-rest">{'★'.repeat(max - full)}</span>
    </span>
  )
}

function tag({ options }: Column, context: Context) {
  return (value: string) => {
    const { label = value, color } = options.get(value) ?? {}
    return (
      <>
        <span class="tag" data-color={colorName(color)}>
          {spendText(context, label)}
        </span>{' '}
      </>
    )
  }
}

function references({ value, labels, context }: Cell, kind: 'file' | 'user'): ComponentChildren {
  const items = textsOf(Array.isArray(value) ? value : [value])
  return (
    <span class="references">
      {items.map((item, at) => (
        <>
          <ReferenceLink reference={cellReference(item, kind)} label={labels[at]} context={context} />{' '}
        </>
      ))}
    </span>
  )
}

/** A reference in a few words. */
function ReferenceLink({
  reference,
  label,
  context,
}: {
  reference: unknown
  label: string | undefined
  context: Context
}) {
  const target = resolve(reference, context.input)
  const words = label ?? target?.file?.name ?? target?.title ?? ''
  const content = (
    <>
      {target?.emoji ? <span class="emoji">{emojiText(target.emoji)} </span> : <Icon name={target?.icon} />}
      {spendText(context, words)}
    </>
  )
  if (!target?.href || context.isInLink) return <span>{content}</span>
  return <a {...linkAttributes(target, context.input)}>{content}</a>
}
