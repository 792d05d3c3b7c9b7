/** A column of a table, by its id in the definition. */
export type ColumnDefinition = Record<string, unknown> & { id: string }
/** A row of a table. */
export type TableRow = Record<string, unknown> & {
  orderIndex: string
  values: Record<string, unknown>
  labels?: Record<string, string[]>
}
/** The data of a block of type `table`. */
export interface TableData {
  view: Record<string, unknown> & { type: 'grid' | 'cards'; columns: string[]; columnWidths?: Record<string, number> }
  definition: Record<string, ColumnDefinition>
  records: Record<string, TableRow>
}

/** The ids of columns in the order of the view; a hidden one stands where the definition has it, behind the same column. */
export function columnOrder({ view, definition }: Pick<TableData, 'view' | 'definition'>): string[] {
  const ids = Object.keys(definition)
  const visible = [...new Set(view.columns)].filter(id => Object.hasOwn(definition, id))
  const visibleIds = new Set(visible)
  const hiddenBehind = new Map<string | undefined, string[]>()
  let last: string | undefined
  for (const id of ids) {
    if (visibleIds.has(id)) last = id
    else hiddenBehind.set(last, [...(hiddenBehind.get(last) ?? []), id])
  }
  return [...(hiddenBehind.get(undefined) ?? []), ...visible.flatMap(id => [id, ...(hiddenBehind.get(id) ?? [])])]
}

/** The ids of rows by their order index; those of the same index stand as they are given. */
export function rowOrder(records: TableData['records']): string[] {
  return Object.entries(records)
    .sort(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .map(([id]) => id)
}
