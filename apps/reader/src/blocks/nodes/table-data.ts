import type { DocumentBlock } from '@recto/markdown/schema'
import { fieldsOf, textsOf } from '../model/read.ts'

/** A column of a table. */
export interface Column {
  id: string
  title: string
  /** The title with its format. */
  titleBlocks: DocumentBlock[] | undefined
  type: string
  align: 'center' | 'end' | undefined
  verticalAlign: 'middle' | 'bottom' | undefined
  max: number
  /** Labels and colours of options by their value. */
  options: ReadonlyMap<string, { label: string; color: string }>
}

/** A row: the values of its cells by column, and the words for the references in them. */
export interface Row {
  values: Record<string, unknown>
  labels: Record<string, unknown>
  /** The record that it is read from. */
  record: object
}

/** A table as it is written. */
export interface Table {
  columns: Column[]
  rows: Row[]
  view: Record<string, unknown>
  /** The column that a field of the view names, hidden or not. */
  columnOf(name: string): Column | undefined
  /** The blocks of a text cell. */
  blocks(value: unknown): DocumentBlock[] | undefined
}

/** Reads the block of a table. */
export function readTable({ data = {}, fragments = [] }: DocumentBlock): Table {
  const view = fieldsOf(data['view'])
  const definition = fieldsOf(data['definition'])
  const byName = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  const blocks = (value: unknown) => (typeof value === 'string' ? byName.get(value) : undefined)
  const column = (id: unknown) =>
    typeof id === 'string' && Object.hasOwn(definition, id)
      ? readColumn(id, fieldsOf(definition[id]), blocks)
      : undefined
  const records = Object.values(fieldsOf(data['records'])).map(fieldsOf)
  return {
    columns: textsOf(view['columns'] ?? Object.keys(definition)).flatMap(id => column(id) ?? []),
    rows: records
      .toSorted((a, b) => (String(a['orderIndex']) < String(b['orderIndex']) ? -1 : 1))
      .map(record => ({ values: fieldsOf(record['values']), labels: fieldsOf(record['labels']), record })),
    view,
    blocks,
    columnOf: name => column(view[name]),
  }
}

function readColumn(id: string, definition: Record<string, unknown>, blocks: Table['blocks']): Column {
  const { title, type, titleFragment, textAlignment, verticalAlignment, max, options } = definition
  const choices = (Array.isArray(options) ? options : []).map(fieldsOf)
  return {
    id,
    title: typeof title === 'string' ? title : '',
    titleBlocks: blocks(titleFragment),
    type: typeof type === 'string' ? type : 'text',
    align: textAlignment === 'center' ? 'center' : textAlignment === 'right' ? 'end' : undefined,
    verticalAlign: verticalAlignment === 'middle' || verticalAlignment === 'bottom' ? verticalAlignment : undefined,
    max: typeof max === 'number' && Number.isInteger(max) && max > 0 ? max : 5,
    options: new Map(
      choices.map(({ value, label, color }) => [
        String(value),
        { label: String(label ?? value), color: String(color) },
      ]),
    ),
  }
}

/** The reference of a value that is one, or holds one. */
export function referenceIn(value: unknown): unknown {
  const { ref } = fieldsOf(value)
  return ref ?? (Array.isArray(value) ? value[0] : value)
}
