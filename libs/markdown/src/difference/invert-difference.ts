import type {
  BlockChange,
  BlockStep,
  CellChange,
  ColumnStep,
  DocumentDifference,
  ElementChange,
  FragmentStep,
  PropertyChange,
  RowStep,
  TextStep,
} from './schema.ts'

/** The difference that leads back: from the second document to the first one. */
export function invertDifference({ nodes }: DocumentDifference): DocumentDifference {
  return { nodes: nodes.map(invertBlockStep) }
}

function invertBlockStep(step: BlockStep): BlockStep {
  if (step.type === 'insert') return { ...step, type: 'delete' }
  if (step.type === 'delete') return { ...step, type: 'insert' }
  return step.type === 'change' ? invertBlockChange(step) : step
}

/** The change that leads back. */
export function invertBlockChange(change: BlockChange): BlockChange {
  const { nodes, columns, rows, properties = [] } = change
  const type = properties.find(({ name }) => name === 'type')?.before
  return {
    ...change,
    block: (type ?? change.block) as BlockChange['block'],
    ...invertElement(change),
    ...(nodes && { nodes: nodes.map(invertBlockStep) }),
    ...(columns && { columns: columns.map(invertColumnStep) }),
    ...(rows && { rows: rows.map(invertRowStep) }),
  }
}

function invertElement({ properties, text, fragments }: ElementChange): ElementChange {
  return {
    ...(properties && { properties: properties.map(invertProperty) }),
    ...(text && { text: text.map(invertTextStep) }),
    ...(fragments && { fragments: fragments.map(invertFragmentStep) }),
  }
}

function invertProperty({ name, before, after }: PropertyChange): PropertyChange {
  return { name, ...(after !== undefined && { before: after }), ...(before !== undefined && { after: before }) }
}

function invertTextStep(step: TextStep): TextStep {
  if (step.type === 'insert') return { ...step, type: 'delete' }
  if (step.type === 'delete') return { ...step, type: 'insert' }
  return step.type === 'equal' ? step : invertInlineChange(step)
}

/** The change of an inline that leads back. */
export function invertInlineChange(change: TextStep & { type: 'change' }): TextStep & { type: 'change' } {
  return { ...change, ...(invertElement(change) as Omit<ElementChange, 'nodes'>) }
}

function invertFragmentStep(step: FragmentStep): FragmentStep {
  if (step.type === 'insert') return { ...step, type: 'delete' }
  if (step.type === 'delete') return { ...step, type: 'insert' }
  return step.type === 'change' ? { ...step, nodes: step.nodes.map(invertBlockStep) } : step
}

function invertColumnStep(step: ColumnStep): ColumnStep {
  if (step.type === 'insert') return { ...step, type: 'delete' }
  if (step.type === 'delete') return { ...step, type: 'insert' }
  return step.type === 'change' ? { ...step, before: step.after, after: step.before } : step
}

function invertRowStep(step: RowStep): RowStep {
  if (step.type === 'insert') return { ...step, type: 'delete' }
  if (step.type === 'delete') return { ...step, type: 'insert' }
  if (step.type !== 'change') return step
  const { labels } = step
  return {
    ...step,
    before: step.after,
    after: step.before,
    cells: step.cells.map(invertCell),
    ...(labels && { labels: { before: labels.after, after: labels.before } }),
  }
}

function invertCell({ column, nodes, before, after }: CellChange): CellChange {
  return {
    column,
    ...(nodes && { nodes: nodes.map(invertBlockStep) }),
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  }
}
