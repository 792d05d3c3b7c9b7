import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Flow } from '../drawing/pieces.ts'
import { linkOf } from './inlines.ts'
import { textParts } from '../text/text-parts.ts'
import type { Inline, TextStyle } from '../text/style.ts'
import { colors } from '../drawing/theme.ts'
import { inlineFlow, textStyle } from './styles.ts'
import { textOf } from './text-of.ts'
import { pictureFlow } from './picture.ts'

/** A row: the values and labels of its cells by column. */
export interface Row {
  values: Record<string, unknown>
  labels: Record<string, string[]>
}

interface Column {
  title: string
  type: string
  titleFragment?: string
  textAlignment?: string
  max?: number
  options?: { value: string; label: string }[]
}

/** A table as it is drawn. */
export interface Table {
  isCards: boolean
  hasHead: boolean
  hasTitles: boolean
  columns: string[]
  definition: Record<string, Column>
  widths: Record<string, number>
  rows: Row[]
  cover: string | undefined
  target: string | undefined
  fragment(name: unknown): DocumentBlock[] | undefined
  /** Lengths of the texts of a column. */
  measure(column: string): { longest: number; longestWord: number }
}

interface View {
  type?: string
  columns?: string[]
  columnWidths?: Record<string, number>
  hideHeader?: boolean
  hideColumnTitle?: boolean
  coverDefinition?: string
  targetDefinition?: string
}

/** Rows that decide how wide columns are. */
const measuredRows = 200

/** Reads the block of a table; undefined when it has no columns. */
export function readTable({ data = {}, fragments = [] }: DocumentBlock): Table | undefined {
  const view = (data['view'] ?? {}) as View
  const definition = (data['definition'] ?? {}) as Record<string, Column>
  const records = Object.values((data['records'] ?? {}) as Record<string, Row & { orderIndex: string }>)
  const columns = (view.columns ?? Object.keys(definition)).filter(column => definition[column])
  if (columns.length === 0) return undefined
  const byName = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  const rows = records
    .toSorted((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
    .map(({ values, labels = {} }) => ({ values, labels }))
  const fragment = (name: unknown) => (typeof name === 'string' ? byName.get(name) : undefined)
  const wordsOf = (value: unknown) => {
    const nodes = fragment(value)
    return nodes ? textOf(nodes.slice(0, 20)).slice(0, 400) : typeof value === 'object' ? '' : String(value ?? '')
  }
  return {
    isCards: view.type === 'cards',
    hasHead: view.hideHeader !== true,
    hasTitles: view.hideColumnTitle !== true,
    columns,
    definition,
    widths: view.columnWidths ?? {},
    rows,
    fragment,
    cover: view.coverDefinition,
    target: view.targetDefinition,
    measure(column) {
      const texts = [
        definition[column]?.title ?? '',
        ...rows.slice(0, measuredRows).map(row => wordsOf(row.values[column])),
      ]
      const words = texts.flatMap(text => text.split(/\s+/))
      return { longest: longestOf(texts), longestWord: longestOf(words) }
    },
  }
}

function longestOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0)
}

/** The title of a column. */
export function titleFlow({ definition, fragment }: Table, column: string, context: Context): Flow {
  const { title = '', titleFragment, textAlignment } = definition[column] ?? {}
  const nodes = fragment(titleFragment)
  if (nodes) return context.layout(aligned(nodes, textAlignment), context)
  const style = { ...textStyle(context), bold: true, color: colors.heading }
  return inlineFlow(textParts(title, style), context, { gap: 0, align: alignOf(textAlignment) })
}

/** Lays out the content of a cell. */
export function cellFlow(row: Row, { table, column }: { table: Table; column: string }, context: Context): Flow {
  const value = row.values[column]
  const definition = table.definition[column]
  const nodes = table.fragment(value)
  if (nodes) return context.layout(aligned(nodes, definition?.textAlignment), context)
  if (definition?.type === 'image') return pictureFlow(unwrapReference(value), {}, context)
  return inlineFlow(valueParts(value, { definition, labels: row.labels[column] ?? [] }, context), context, { gap: 0 })
}

/** The default, `left`, leaves texts that run from right to left at their side. */
function alignOf(alignment: string | undefined): 'start' | 'center' | 'right' {
  return alignment === 'center' || alignment === 'right' ? alignment : 'start'
}

function aligned(nodes: DocumentBlock[], alignment: string | undefined): DocumentBlock[] {
  const align = alignOf(alignment)
  if (align === 'start') return nodes
  return nodes.map(node => (node.type === 'paragraph' ? { ...node, data: { ...node.data, align } } : node))
}

/** The reference of a value that is one, or holds one. */
export /** Returns the `ref` of a value that has one, else the value itself. */
function unwrapReference(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'ref' in value ? value.ref : value
}

interface ValueOptions {
  definition: Column | undefined
  labels: string[]
}

function valueParts(value: unknown, { definition, labels }: ValueOptions, context: Context): Inline[] {
  const style = textStyle(context)
  if (value === undefined || value === null) return []
  if (typeof value === 'boolean') return textParts(value ? '☑' : '☐', style)
  if (definition?.type === 'rating')
    return textParts('★'.repeat(Number(value)).padEnd(definition.max ?? 5, '☆'), { ...style, color: '#b45309' })
  if (definition?.type === 'select' && Array.isArray(value)) {
    const options = new Map((definition.options ?? []).map(option => [option.value, option.label]))
    return textParts(value.map(item => options.get(String(item)) ?? String(item)).join(', '), style)
  }
  if (Array.isArray(value))
    return value.flatMap((item, at) => [
      ...textParts(at === 0 ? '' : ', ', style),
      ...referenceParts(item, { label: labels[at], style }, context),
    ])
  if (typeof value === 'object') return referenceParts(unwrapReference(value), { label: labels[0], style }, context)
  return textParts(String(value), style)
}

function referenceParts(
  ref: unknown,
  { label, style }: { label: string | undefined; style: TextStyle },
  context: Context,
): Inline[] {
  const { link, target } = linkOf(typeof ref === 'string' ? fileRef(ref) : ref, context)
  const words = label ?? target?.title ?? target?.file?.name ?? target?.url ?? (typeof ref === 'string' ? ref : '')
  return textParts(words, link ? { ...style, color: colors.link, link } : style)
}

/** Cells of files have the ids of files. */
function fileRef(file: string): unknown {
  return /[/:.]/.test(file) ? { kind: 'url', url: file } : { kind: 'file', file }
}
