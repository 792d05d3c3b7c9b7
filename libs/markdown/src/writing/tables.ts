import type { PhrasingContent, RootContent, Table } from 'mdast'
import { fragmentOf } from '../document/nodes.ts'
import type { DocumentBlock, DocumentRef } from '../document/schema.ts'
import { escapeHtml, writeAttribute, writeAttributes, writeTargetAttribute } from './escape.ts'
import { columnOrder, rowOrder } from '../document/table-order.rules.ts'
import { flowHtml, type WriteContext } from './inline-html.ts'
import { html, toPhrasing } from './phrasing.ts'

interface Definition {
  id: string
  title: string
  type: string
  titleFragment?: string
  textAlignment?: string
  verticalAlignment?: string
  max?: number
  multiple?: boolean
  options?: { value: string; label: string; color: string }[]
}
interface Row {
  orderIndex: string
  values: Record<string, unknown>
  labels?: Record<string, string[]>
}
interface View {
  type: 'grid' | 'cards'
  columns: string[]
  columnWidths?: Record<string, number>
  hideHeader?: boolean
  useNewSizing?: boolean
  hideColumnTitle?: boolean
  cardSize?: string
  targetDefinition?: string
  coverDefinition?: string
  coverDefinitionDark?: string
}

interface TableParts {
  node: DocumentBlock
  view: View
  columns: Definition[]
  rows: Row[]
  fullWidth: boolean | undefined
  context: WriteContext
}

/** Writes a table: of Markdown where that says it all, else of HTML. */
export function writeTable(node: DocumentBlock, context: WriteContext): RootContent {
  const data = node.data as { view: View; definition: Record<string, Definition>; records: Record<string, Row> }
  const rows = rowOrder(data.records as never).flatMap(id => data.records[id] ?? [])
  const columns = columnOrder(data as never).flatMap(id => data.definition[id] ?? [])
  const fullWidth = node.data?.['fullWidth'] as boolean | undefined
  const parts = { node, view: data.view, columns, rows, fullWidth, context }
  return isPlain(parts) ? pipeTable(parts) : { type: 'html', value: htmlTable(parts) }
}

function isPlain({ view, columns, fullWidth }: TableParts): boolean {
  return (
    view.type === 'grid' &&
    !view.hideHeader &&
    Object.keys(view.columnWidths ?? {}).length === 0 &&
    view.useNewSizing === undefined &&
    fullWidth === undefined &&
    columns.length > 0 &&
    columns.every(
      ({ id, type, verticalAlignment }) => type === 'text' && !verticalAlignment && view.columns.includes(id),
    )
  )
}

function pipeTable({ node, columns, rows, context }: TableParts): Table {
  const cell = (children: PhrasingContent[]) => ({ type: 'tableCell' as const, children })
  const header = columns.map(column => cell(cellPhrasing(titleBlocks(node, column), column.title, context)))
  const body = rows.map(({ values }) => ({
    type: 'tableRow' as const,
    children: columns.map(({ id }) => cell(cellPhrasing(cellBlocks(node, values[id]), '', context))),
  }))
  const align = columns.map(({ textAlignment }) =>
    textAlignment === 'center' || textAlignment === 'right' ? textAlignment : null,
  )
  return { type: 'table', align, children: [{ type: 'tableRow', children: header }, ...body] }
}

function titleBlocks(node: DocumentBlock, { titleFragment }: Definition): DocumentBlock[] | undefined {
  return titleFragment === undefined ? undefined : fragmentOf(node, titleFragment)?.nodes
}

function cellBlocks(node: DocumentBlock, value: unknown): DocumentBlock[] | undefined {
  return typeof value === 'string' ? fragmentOf(node, value)?.nodes : undefined
}

function cellPhrasing(blocks: DocumentBlock[] | undefined, text: string, context: WriteContext): PhrasingContent[] {
  const [only] = blocks ?? []
  if (!blocks || !only) return text === '' ? [] : [{ type: 'text', value: text }]
  if (blocks.length === 1 && only.type === 'paragraph' && !only.data?.['align'])
    return toPhrasing(only.nodes ?? [], context, 'html')
  return blocks.flatMap(block => wrapped(block, context))
}

/** Paragraphs and lists in a cell: tags of HTML around Markdown. */
function wrapped(block: DocumentBlock, context: WriteContext): PhrasingContent[] {
  if (block.type === 'paragraph' && !block.data?.['align'])
    return [html('<p>'), ...toPhrasing(block.nodes ?? [], context, 'html'), html('</p>')]
  if (!/^list-(?:ordered|unordered|tasks)$/.test(block.type)) return [html(flowHtml([block], context))]
  const tag = block.type === 'list-ordered' ? 'ol' : 'ul'
  const items = (block.nodes ?? []).flatMap(item => [
    html('<li>'),
    ...cellPhrasing((item as DocumentBlock).nodes as DocumentBlock[], '', context),
    html('</li>'),
  ])
  return [html(`<${tag}>`), ...items, html(`</${tag}>`)]
}

function htmlTable(parts: TableParts): string {
  const { view, columns, rows, fullWidth } = parts
  const attributes = writeAttributes({
    'data-view': view.type === 'cards' ? 'cards' : undefined,
    'data-card-size': view.cardSize === 'large' ? 'large' : undefined,
    'data-new-sizing': view.useNewSizing === undefined ? undefined : String(view.useNewSizing),
    'data-header-hidden': view.type === 'cards' ? cardsHeader(view.hideColumnTitle) : view.hideHeader,
    'data-full-width': fullWidth === undefined ? undefined : String(fullWidth),
  })
  const heads = columns.map(column => htmlHead(column, parts)).join('')
  const body = rows.map(row => `<tr>${columns.map(column => htmlCell(column, row, parts)).join('')}</tr>`).join('')
  return `<table${attributes}><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`
}

function cardsHeader(isHidden: boolean | undefined): boolean | string | undefined {
  return isHidden === false ? 'false' : isHidden
}

function htmlHead(column: Definition, { view, node, context }: TableParts): string {
  const { id, type, title, textAlignment } = column
  const attributes = writeAttributes({
    width: view.columnWidths?.[id],
    align: type === 'text' && textAlignment !== 'left' ? textAlignment : undefined,
    valign: column.verticalAlignment,
    'data-type': type === 'text' ? undefined : type,
    'data-max': type === 'rating' && column.max !== 5 ? column.max : undefined,
    'data-multiple': column.multiple,
    'data-hidden': !view.columns.includes(id),
    'data-card-target': view.targetDefinition === id,
    'data-card-cover': view.coverDefinition === id,
    'data-card-cover-dark': view.coverDefinitionDark === id,
  })
  const rich = titleBlocks(node, column)
  const name = rich ? flowHtml(rich, context, true) : escapeHtml(title)
  const options = (column.options ?? []).map(
    ({ value, label, color }) => `<option${writeAttributes({ value, label, color })}></option>`,
  )
  const select = type === 'select' ? `<select>${options.join('')}</select>` : ''
  return `<th${attributes}>${name}${select}</th>`
}

function htmlCell({ id, type }: Definition, { values, labels }: Row, { node, context }: TableParts): string {
  const value = values[id]
  if (value === undefined || value === null) return '<td></td>'
  const link = (target: string, at: number) =>
    `<a href=${writeTargetAttribute(target)}>${labels?.[id]?.[at] === undefined ? target : escapeHtml(labels[id][at])}</a>`
  switch (type) {
    case 'text':
      return `<td>${flowHtml(cellBlocks(node, value) ?? [], context, true)}</td>`
    case 'select':
      return `<td>${(value as string[]).map(option => `<span data-option=${writeAttribute(option)}></span>`).join('')}</td>`
    case 'files':
    case 'users': {
      const targets = (value as string[]).map(item => context.target(refOf(item, type)))
      return `<td>${targets.map(link).join(', ')}</td>`
    }
    case 'content-ref':
      return `<td>${link(context.target(value as DocumentRef), 0)}</td>`
    case 'image': {
      const { ref = value, objectFit } = value as { ref?: DocumentRef; objectFit?: string }
      return `<td${writeAttributes({ 'data-object-fit': objectFit })}>${link(context.target(ref as DocumentRef), 0)}</td>`
    }
    default:
      return `<td>${escapeHtml(String(value))}</td>`
  }
}

/** The reference of an id in a cell; what was no file or user stands for itself, see `readReferences`. */
function refOf(item: string, type: 'files' | 'users'): DocumentRef {
  if (item.startsWith('{')) return JSON.parse(item) as DocumentRef
  if (/[/:.]/.test(item)) return { kind: 'url', url: item }
  return type === 'files' ? { kind: 'file', file: item } : { kind: 'user', user: item }
}
