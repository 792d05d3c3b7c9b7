import { decodeEntities } from '../syntax/attributes.ts'
import type { ReferenceKind } from '../outline/references.ts'
import type { ReadContext } from './context.ts'
import { hasOnly, wordsOf, type ElementNode, type InlineNode } from './elements.ts'
import { isBlank, readFlow } from './html-flow.ts'
import { referenceId } from './references.ts'
import type { DocumentBlock } from './schema.ts'
import { isPlainText, tableBlock, type TableCell, type TableColumn } from './table-parts.ts'

const tableAttributes = [
  'data-view',
  'data-card-size',
  'data-header-hidden',
  'data-full-width',
  'data-new-sizing',
] as const
const headAttributes = [
  'width',
  'align',
  'valign',
  'data-type',
  'data-hidden',
  'data-multiple',
  'data-max',
  'data-card-target',
  'data-card-cover',
  'data-card-cover-dark',
] as const

/** Reads a table of HTML; undefined when any of it is not understood. */
export function readHtmlTable(table: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const rows = rowsOf(table)
  const [header, ...body] = rows ?? []
  if (!header || !hasOnly(table, ...tableAttributes)) return undefined
  const heads = cellsOf(header, 'th')
  if (!heads || heads.length === 0) return undefined
  context.spend(heads.length * body.length)
  const columns = heads.map(head => readColumn(head, context))
  if (!columns.every(column => column !== undefined)) return undefined
  const records = body.map(row => readRow(row, columns, context))
  if (!records.every(record => record !== undefined)) return undefined
  const at = (name: string) => {
    const index = heads.findIndex(({ attributes }) => attributes[name] !== undefined)
    return index < 0 ? undefined : index
  }
  const fullWidth = flag(table, 'data-full-width')
  if (table.attributes['data-view'] !== 'cards')
    return tableBlock(columns, records, {
      view: {
        type: 'grid',
        hideHeader: flag(table, 'data-header-hidden') ?? false,
        useNewSizing: flag(table, 'data-new-sizing'),
      },
      fullWidth,
    })
  const size = table.attributes['data-card-size']
  const view = {
    type: 'cards',
    cardSize: size === 'large' ? 'large' : 'medium',
    hideColumnTitle: flag(table, 'data-header-hidden'),
  }
  return tableBlock(columns, records, {
    view,
    fullWidth,
    target: at('data-card-target'),
    cover: at('data-card-cover'),
    coverDark: at('data-card-cover-dark'),
  })
}

/** An attribute without value is set. */
function flag({ attributes }: ElementNode, name: string): boolean | undefined {
  const value = attributes[name]
  return value === undefined ? undefined : value !== 'false'
}

function elementsIn({ children }: ElementNode): ElementNode[] | undefined {
  const filled = children.filter(child => !isBlank(child))
  return filled.every(child => child.type === 'element') ? filled : undefined
}

function rowsOf(table: ElementNode): ElementNode[] | undefined {
  const rows: ElementNode[] = []
  for (const part of elementsIn(table) ?? []) {
    const inside = hasOnly(part) && ['thead', 'tbody'].includes(part.tag) ? elementsIn(part) : undefined
    if (!inside?.every(row => row.tag === 'tr' && hasOnly(row))) return undefined
    rows.push(...inside)
  }
  const isHeaderFirst = rows[0] !== undefined && elementsIn(rows[0])?.every(({ tag }) => tag === 'th')
  return isHeaderFirst ? rows : undefined
}

function cellsOf(row: ElementNode, tag: 'th' | 'td'): ElementNode[] | undefined {
  const cells = elementsIn(row)
  return cells?.every(cell => cell.tag === tag) ? cells : undefined
}

const types = ['text', 'number', 'checkbox', 'files', 'users', 'rating', 'select', 'content-ref', 'image']

function readColumn(head: ElementNode, context: ReadContext): TableColumn | undefined {
  const { attributes } = head
  const { width, align, valign, 'data-type': type = 'text', 'data-max': max } = attributes
  const isUnknown = !hasOnly(head, ...headAttributes) || !types.includes(type)
  const wide = width === undefined ? undefined : Number(width.replace(/px$/, ''))
  if (isUnknown || Number.isNaN(wide) || (align && !['left', 'center', 'right'].includes(align))) return undefined
  if (valign && !['top', 'middle', 'bottom'].includes(valign)) return undefined
  const options = head.children.filter(isSelect)
  const title = head.children.filter(child => !isSelect(child))
  const rich = readFlow(title, context)
  const choices = readOptions(options[0])
  if (!rich || !choices || (type !== 'select' && options.length > 0) || options.length > 1) return undefined
  const multiple = attributes['data-multiple'] !== undefined
  const definition: Record<string, unknown> = {
    type,
    ...(type === 'text' && { textAlignment: align ?? 'left', verticalAlignment: valign }),
    ...(type === 'rating' && { max: max === undefined ? 5 : Number(max) }),
    ...(type === 'users' && { multiple }),
    ...(type === 'select' && { multiple, options: choices }),
  }
  if (type !== 'text' && (align ?? valign) !== undefined) return undefined
  return {
    title: wordsOf(title).trim(),
    rich: isPlainText(rich) ? undefined : rich,
    definition,
    width: wide,
    isHidden: attributes['data-hidden'] !== undefined,
  }
}

function isSelect(node: InlineNode): node is ElementNode {
  return node.type === 'element' && node.tag === 'select'
}

function readOptions(select: ElementNode | undefined): Record<string, string>[] | undefined {
  if (!select) return []
  const options = elementsIn(select)
  if (!hasOnly(select, 'multiple') || !options) return undefined
  const isKnown = options.every(
    option =>
      option.tag === 'option' && hasOnly(option, 'value', 'label', 'color') && wordsOf(option.children).trim() === '',
  )
  if (!isKnown) return undefined
  return options.map(({ attributes: { value = '', label = '', color = '' } }) => ({
    value: decodeEntities(value),
    label: decodeEntities(label),
    color: decodeEntities(color),
  }))
}

function readRow(row: ElementNode, columns: TableColumn[], context: ReadContext): TableCell[] | undefined {
  const cells = cellsOf(row, 'td')
  if (!cells || cells.length > columns.length) return undefined
  const read = cells.map((cell, at) => readCell(cell, columns[at]?.definition ?? {}, context))
  return read.every(cell => cell !== undefined) ? read : undefined
}

function readCell(cell: ElementNode, definition: Record<string, unknown>, context: ReadContext): TableCell | undefined {
  const type = definition['type']
  const isImage = type === 'image'
  if (!hasOnly(cell, ...(isImage ? ['data-object-fit'] : []), ...(type === 'text' ? ['align', 'valign'] : [])))
    return undefined
  const words = wordsOf(cell.children).trim()
  if (type === 'text') {
    const blocks = readFlow(cell.children, context)
    return blocks && { blocks }
  }
  if (words === '' && cell.children.every(isBlank)) return {}
  switch (type) {
    case 'number':
    case 'rating':
      return isPlain(cell) && Number.isFinite(Number(words)) ? { value: Number(words) } : undefined
    case 'checkbox':
      return isPlain(cell) && /^(?:true|false)$/.test(words) ? { value: words === 'true' } : undefined
    case 'select':
      return readSelected(cell)
    default:
      return readReferences(cell, type as string, context)
  }
}

function isPlain({ children }: ElementNode): boolean {
  return children.every(({ type }) => type === 'text')
}

function readSelected(cell: ElementNode): TableCell | undefined {
  const options = elementsIn(cell)
  const isKnown = options?.every(
    option => option.tag === 'span' && hasOnly(option, 'data-option') && option.attributes['data-option'] !== undefined,
  )
  return isKnown ? { value: options?.map(option => decodeEntities(option.attributes['data-option'] ?? '')) } : undefined
}

const kinds: Record<string, ReferenceKind> = { files: 'file', users: 'mention', image: 'image', 'content-ref': 'link' }

function readReferences(cell: ElementNode, type: string, context: ReadContext): TableCell | undefined {
  const filled = cell.children.filter(child => child.type !== 'text' || child.value.replace(/[\s,]/g, '') !== '')
  const links: ElementNode[] = []
  for (const child of filled) {
    const isLink = child.type === 'element' && child.tag === 'a' && hasOnly(child, 'href') && isPlain(child)
    if (!isLink || child.attributes['href'] === undefined) return undefined
    links.push(child)
  }
  const isSingle = type === 'content-ref' || type === 'image'
  if (links.length === 0 || (isSingle && links.length > 1)) return undefined
  const refs = links.map(link => context.reference(link.attributes['href'] ?? '', kinds[type] ?? 'link'))
  const names = links.map(link => wordsOf(link.children))
  const hasNames = names.some((name, at) => name !== decodeEntities(links[at]?.attributes['href'] ?? ''))
  const labels = hasNames ? { labels: names } : {}
  const fit = cell.attributes['data-object-fit']
  if (type === 'content-ref') return { value: refs[0], ...labels }
  if (type === 'image') return { value: fit === undefined ? refs[0] : { ref: refs[0], objectFit: fit }, ...labels }
  return { value: refs.map(referenceId), ...labels }
}
