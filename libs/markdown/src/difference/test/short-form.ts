import { textOf } from '../../index.ts'
import type { BlockStep, DocumentBlock, DocumentNode, FragmentStep, RowStep, TextStep } from '../../schema.ts'

/** The steps of a difference in short: what is equal as its count, all else with a sign before it. */
export function shortForm(steps: readonly BlockStep[]): unknown[] {
  return steps.map(step => {
    if (step.type === 'equal') return step.count
    if (step.type === 'insert' || step.type === 'delete')
      return `${signs[step.type]}${step.move === undefined ? '' : `#${step.move} `}${step.nodes.map(wordsOf).join(' | ')}`
    const { block, properties = [], nodes, text, fragments, rows, columns } = step
    return [
      `~${block}`,
      ...properties.map(({ name, before, after }) => `${name}: ${short(before)} → ${short(after)}`),
      ...(text ? [textForm(text)] : []),
      ...(nodes ? [shortForm(nodes)] : []),
      ...(fragments ? fragments.map(fragmentForm) : []),
      ...(columns ? [columns.map(({ type }) => type)] : []),
      ...(rows ? [rows.map(rowForm)] : []),
    ]
  })
}

const signs = { insert: '+', delete: '-', equal: '' }

function short(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function wordsOf(node: DocumentNode): string {
  const nodes = node.object === 'block' ? [node] : [{ object: 'block', type: 'paragraph', nodes: [node] }]
  return textOf({ object: 'document', data: { schemaVersion: 1 }, nodes: nodes as DocumentBlock[] }) || typeOf(node)
}

function typeOf(node: DocumentNode): string {
  return node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : node.type
}

function textForm(steps: readonly TextStep[]): string {
  return steps
    .map(step => {
      if (step.type === 'change')
        return `{~${step.inline} ${(step.properties ?? []).map(({ name }) => name).join(' ')} ${textForm(step.text ?? [])}}`
      const words = step.text
        .map(node => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : `<${wordsOf(node)}>`))
        .join('')
      return step.type === 'equal' ? words : `{${signs[step.type]}${words}}`
    })
    .join('')
}

function fragmentForm(step: FragmentStep): unknown {
  if (step.type === 'equal') return step.count
  if (step.type === 'change') return [`~${step.fragment}`, shortForm(step.nodes)]
  return `${signs[step.type]}${step.fragments.map(({ fragment }) => fragment).join(' ')}`
}

function rowForm(step: RowStep): unknown {
  if (step.type === 'equal') return step.count
  if (step.type === 'change')
    return step.cells.map(({ nodes, before, after }) =>
      nodes ? shortForm(nodes) : `${short(before)} → ${short(after)}`,
    )
  const rows = step.rows.map(({ texts }) =>
    Object.values(texts)
      .map(blocks => blocks.map(wordsOf).join(' '))
      .join(' '),
  )
  return `${signs[step.type]}${rows.join(' | ')}`
}
