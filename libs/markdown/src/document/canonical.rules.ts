import { fragmentName, unformattedText } from './nodes.ts'
import { sameMark, withMark, withoutMarkedEdges } from './marks.ts'
import { isPlainText } from './table-parts.ts'
import { columnOrder, rowOrder, type ColumnDefinition, type TableData } from './table-order.rules.ts'
import type {
  DocumentBlock,
  DocumentFragment,
  DocumentInline,
  DocumentLeaf,
  DocumentMark,
  DocumentNode,
  DocumentText,
} from './schema.ts'

/** A node in the form in which documents are compared: keys, ids of columns and rows, and what the model derives are left out. */
export interface CanonicalNode {
  /** The place of the node in its document, `nodes.0.fragments.1`. */
  path: string
  own: Record<string, unknown>
  parts: CanonicalNode[]
}

/** Nodes of a document or a block in the form in which they are compared. */
export function canonicalNodes(nodes: readonly DocumentNode[], path = 'nodes', isHtml = false): CanonicalNode[] {
  return merged(nodes.map((node, at) => ({ node, path: `${path}.${at}` }))).map(({ node, path: place }) =>
    node.object === 'text' ? canonicalText(node, place) : canonicalElement(node, place, isHtml),
  )
}

interface NodeAtPath {
  node: DocumentNode
  path: string
}

/** Texts side by side are one text; one without words is none. */
function merged(nodes: readonly NodeAtPath[]): NodeAtPath[] {
  const result: NodeAtPath[] = []
  for (const { node, path } of nodes) {
    const last = result.at(-1)
    if (node.object === 'text' && last?.node.object === 'text')
      last.node = { ...last.node, leaves: [...last.node.leaves, ...node.leaves] }
    else result.push({ node, path })
  }
  return result.filter(({ node }) => node.object !== 'text' || node.leaves.some(({ text }) => text !== ''))
}

/** Nodes without the blanks and line breaks at both ends, which HTML and headings have no place for. */
function withoutEdgeBlanks(nodes: readonly DocumentNode[]): DocumentNode[] {
  const copy = structuredClone(nodes) as DocumentNode[]
  const strip = (ordered: DocumentNode[], pattern: RegExp, isEnd: boolean) => {
    for (const node of ordered) {
      if (node.object !== 'text') return
      for (const leaf of isEnd ? node.leaves.toReversed() : node.leaves) {
        if (leaf.marks.some(({ type }) => type === 'code')) return
        leaf.text = leaf.text.replace(pattern, '')
        if (leaf.text !== '') return
      }
    }
  }
  strip(copy, /^[ \t\n]+/, false)
  strip(copy.toReversed(), /[ \t\n]+$/, true)
  return copy
}

/** Whether text is nothing but blanks without format, which no reader sees. */
function isBlank(nodes: readonly DocumentNode[]): boolean {
  return nodes.every(
    node =>
      node.object === 'text' &&
      node.leaves.every(({ text, marks }) => text.trim() === '' && (marks.length === 0 || text === '')),
  )
}

function canonicalText(node: DocumentText, path: string): CanonicalNode {
  const [{ leaves }] = withoutMarkedEdges([{ ...node, leaves: joined(node.leaves) }]) as [DocumentText]
  return {
    path,
    own: { object: 'text', leaves: joined(leaves).map(({ text, marks }) => ({ text, marks })) },
    parts: [],
  }
}

/** Leaves of the same format as one, each mark once and in the order in which marks are written. */
function joined(leaves: readonly DocumentLeaf[]): DocumentLeaf[] {
  const result: DocumentLeaf[] = []
  for (const leaf of leaves) {
    if (leaf.text === '') continue
    const marks = leaf.marks.reduce<DocumentMark[]>((others, mark) => withMark(others, withoutEmptyData(mark)), [])
    const last = result.at(-1)
    const isSame = last?.marks.length === marks.length && marks.every((mark, at) => sameMark(mark, last.marks[at]))
    if (last && isSame) result[result.length - 1] = { ...last, text: last.text + leaf.text }
    else result.push({ object: 'leaf', text: leaf.text, marks })
  }
  return result
}

function withoutEmptyData(mark: DocumentMark): DocumentMark {
  if (mark.type === 'code')
    return mark.data?.raw ? { object: 'mark', type: 'code', data: { raw: true } } : { object: 'mark', type: 'code' }
  if (mark.type !== 'color') return { object: 'mark', type: mark.type }
  const { text, background } = mark.data
  return { object: 'mark', type: 'color', data: { text, background } }
}

function canonicalElement(node: DocumentBlock | DocumentInline, path: string, isHtml: boolean): CanonicalNode {
  if (node.type === 'table') return canonicalTable(node, path)
  const nodes = nodesOf(node, isHtml)
  const isTasks =
    node.type === 'list-tasks' &&
    !nodes.some(item => item.object === 'block' && typeof item.data?.['checked'] === 'boolean')
  const inside = canonicalNodes(nodes, `${path}.nodes`, isHtml)
  const parts = (node.type === 'list-item' ? itemParts(node, inside) : inside).map(part =>
    isTasks ? { ...part, own: { ...part.own, data: { checked: false, ...(part.own['data'] as object) } } } : part,
  )
  return {
    path,
    own: { object: node.object, type: node.type, data: canonicalData(node) },
    parts: [...parts, ...canonicalFragments(node.fragments ?? [], path)],
  }
}

function nodesOf({ type, data, nodes = [] }: DocumentBlock | DocumentInline, isHtml: boolean): readonly DocumentNode[] {
  if (type === 'code') return codeLines(nodes)
  const isParagraph = type === 'paragraph'
  if (isParagraph && isBlank(nodes)) return []
  const isTrimmed = (isParagraph && (isHtml || data?.['align'] !== undefined)) || type.startsWith('heading-')
  return isTrimmed ? withoutEdgeBlanks(nodes) : nodes
}

/** A paragraph without text is none where it is all that an item has, or stands behind its box alone. */
function itemParts({ data }: DocumentBlock | DocumentInline, parts: CanonicalNode[]): CanonicalNode[] {
  if (isEmptyParagraph(parts)) return []
  return typeof data?.['checked'] === 'boolean' && isEmptyParagraph(parts.slice(0, 1)) ? parts.slice(1) : parts
}

/** A code block without lines is one with an empty line. */
function codeLines(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  return nodes.length > 0 ? nodes : [{ object: 'block', type: 'code-line', data: {}, nodes: [] }]
}

function canonicalData({ type, data = {} }: DocumentBlock | DocumentInline): Record<string, unknown> {
  const { ...own } = data
  if (type === 'list-ordered') return { ...own, start: own['start'] ?? 1 }
  if (type === 'code' && own['syntax'] === '') delete own['syntax']
  if (type === 'code-line' && own['highlighted'] === false) delete own['highlighted']
  if (type === 'image' || type === 'inline-image') own['alt'] ??= ''
  return own
}

/** Fragments by their names; one that holds nothing is as none. */
function canonicalFragments(fragments: readonly DocumentFragment[], path: string): CanonicalNode[] {
  return fragments
    .map((fragment, at) => canonicalFragment(fragment, `${path}.fragments.${at}`))
    .filter(({ parts }) => parts.length > 0)
    .sort((a, b) => (String(a.own['name']) < String(b.own['name']) ? -1 : 1))
}

function canonicalFragment(part: DocumentFragment, path: string): CanonicalNode {
  const name = fragmentName(part)
  const parts = canonicalNodes(part.nodes, `${path}.nodes`, !name.endsWith('body'))
  return { path, own: { object: 'fragment', name }, parts: isEmptyParagraph(parts) ? [] : parts }
}

function isEmptyParagraph([only, ...more]: readonly CanonicalNode[]): boolean {
  if (more.length > 0 || only?.own['type'] !== 'paragraph' || only.parts.length > 0) return false
  return (only.own['data'] as { align?: string }).align === undefined
}

/** Columns and rows are named by their place, and the fragments of cells by theirs. */
function canonicalTable(node: DocumentBlock, path: string): CanonicalNode {
  const { view, definition, records, ...settings } = node.data as unknown as TableData
  const order = columnOrder({ view, definition })
  const names = new Map(order.map((id, at) => [id, `column-${at + 1}`]))
  const nameOf = (id: string) => names.get(id) ?? `unknown ${id}`
  const fragments = new Map(
    (node.fragments ?? []).map((part, at) => [
      part.fragment ?? part.type ?? '',
      { part, canonical: canonicalFragment(part, `${path}.fragments.${at}`) },
    ]),
  )
  const used = new Set<string>()
  const parts: CanonicalNode[] = []
  const take = (fragment: string, name: string) => {
    used.add(fragment)
    const canonical = fragments.get(fragment)?.canonical
    if (!canonical) return `missing ${fragment}`
    if (canonical.parts.length === 0) return undefined
    parts.push({ ...canonical, own: { object: 'fragment', name } })
    return name
  }
  const columns = order.map((id, at) => {
    const definedColumn: Partial<ColumnDefinition> = definition[id] ?? { id }
    const { id: _id, titleFragment, ...own } = definedColumn
    const column: Record<string, unknown> = { ...own, title: String(own['title']).trim() }
    const title = typeof titleFragment === 'string' ? fragments.get(titleFragment) : undefined
    const isPlain = title && isPlainText(title.part.nodes) && unformattedText(title.part.nodes) === column['title']
    if (title && isPlain) used.add(String(titleFragment))
    return { ...column, ...(title && !isPlain && { titleFragment: take(String(titleFragment), `title-${at + 1}`) }) }
  })
  const rows = rowOrder(records).map((record, row) => {
    const { orderIndex: _orderIndex, values, ...others } = records[record] ?? { orderIndex: '', values: {} }
    const cells = Object.entries(values).flatMap(([id, value]) => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return []
      const isText = definition[id]?.['type'] === 'text' && typeof value === 'string'
      const cell = isText ? take(value, `cell-${row + 1}-${nameOf(id)}`) : withoutFit(value)
      return cell === undefined ? [] : [[nameOf(id), cell] as const]
    })
    const labels = Object.entries(others['labels'] ?? {}).map(([id, label]) => [nameOf(id), label] as const)
    return {
      ...others,
      values: Object.fromEntries(cells),
      ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    }
  })
  for (const [name, { canonical }] of fragments)
    if (!used.has(name) && canonical.parts.length > 0) parts.push(canonical)
  return {
    path,
    own: { object: 'block', type: 'table', data: { ...settings, view: canonicalView(view, nameOf), columns, rows } },
    parts,
  }
}

/** An image without a fit is its reference. */
function withoutFit(value: unknown): unknown {
  const isImage = typeof value === 'object' && value !== null && 'ref' in value && Object.keys(value).length === 1
  return isImage ? value.ref : value
}

function canonicalView(view: TableData['view'], nameOf: (id: string) => string): Record<string, unknown> {
  const toName = (id: unknown) => (typeof id === 'string' ? nameOf(id) : id)
  const widths = Object.entries(view.columnWidths ?? {}).map(([id, width]) => [nameOf(id), width] as const)
  const { columnWidths: _columnWidths, ...others } = view
  return {
    ...others,
    columns: view.columns.map(nameOf),
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    ...('targetDefinition' in view && { targetDefinition: toName(view.targetDefinition) }),
    ...('coverDefinition' in view && { coverDefinition: toName(view.coverDefinition) }),
    ...('coverDefinitionDark' in view && { coverDefinitionDark: toName(view.coverDefinitionDark) }),
  }
}

/** The place of the first difference between nodes, as the first ones have it; undefined when they say the same. */
export function firstDifference(
  nodes: readonly CanonicalNode[],
  others: readonly CanonicalNode[],
  path = 'nodes',
): string | undefined {
  for (const [at, node] of nodes.entries()) {
    const other = others[at]
    if (!other || other.own['type'] !== node.own['type'] || other.own['object'] !== node.own['object']) return node.path
    if (isRawCode(other) && !isRawCode(node)) return node.path
    const field = differingField(node.own, other.own)
    if (field !== undefined) return [node.path, ...field].join('.')
    const inside = firstDifference(node.parts, other.parts, node.path)
    if (inside !== undefined) return inside
  }
  return others.length > nodes.length ? path : undefined
}

function isRawCode({ own }: CanonicalNode): boolean {
  return own['type'] === 'code' && (own['data'] as { raw?: unknown }).raw === true
}

/** Data is compared field by field, so that the fault names one. */
function differingField(own: Record<string, unknown>, other: Record<string, unknown>): string[] | undefined {
  const { data, ...rest } = own
  const { data: otherData, ...otherRest } = other
  if (!isEqual(rest, otherRest)) return []
  const fields = (data ?? {}) as Record<string, unknown>
  const otherFields = (otherData ?? {}) as Record<string, unknown>
  const names = new Set([...Object.keys(fields), ...Object.keys(otherFields)])
  const name = [...names].find(key => !isEqual(fields[key], otherFields[key]))
  if (name === undefined) return undefined
  return own['type'] === 'table' && (name === 'columns' || name === 'rows')
    ? ['data', name === 'columns' ? 'definition' : 'records']
    : ['data', name]
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every(name => isEqual(left[name], right[name]))
}
