import { applyToInline, invertInlineChange } from '@recto/markdown'
import type {
  BlockStep,
  DocumentBlock,
  DocumentFragment,
  DocumentNode,
  FragmentStep,
  InlineNode,
  TextStep,
} from '@recto/markdown/schema'
import type { Mark } from '../model/mark.ts'
import { settingsOf } from './settings.rules.ts'

/** Collects marks while documents are merged. */
export interface Marking {
  mark(node: object, mark: Mark): void
  /** Merges blocks one below the other. */
  blocks(after: readonly DocumentBlock[], steps: readonly BlockStep[]): DocumentBlock[]
}

/** Text with what it was before, word by word. */
export function mergedText(after: readonly DocumentNode[], steps: readonly TextStep[], marking: Marking): InlineNode[] {
  const inlines = after.filter(node => node.object === 'inline')
  let at = 0
  return steps.flatMap((step): InlineNode[] => {
    if (step.type === 'change') {
      const inline = inlines[at]
      at += 1
      return inline ? changedInline(inline, step, marking) : []
    }
    if (step.type !== 'delete') at += step.text.filter(({ object }) => object === 'inline').length
    if (step.type === 'equal') return step.text
    return marked(step.text, { kind: step.type }, marking)
  })
}

function marked(nodes: readonly InlineNode[], mark: Mark, marking: Marking): InlineNode[] {
  return nodes.map(node => {
    const copy = { ...node }
    marking.mark(copy, mark)
    return copy
  })
}

/** An inline within text: with words in it, by these; else as it was, and as it is. */
function changedInline(
  after: InlineNode & { object: 'inline' },
  change: TextStep & { type: 'change' },
  marking: Marking,
): InlineNode[] {
  if (!after.nodes?.length || !change.text) {
    const before = applyToInline(after, invertInlineChange(change))
    return [...marked([before], { kind: 'delete' }, marking), ...marked([after], { kind: 'insert' }, marking)]
  }
  const settings = settingsOf(change.properties ?? [])
  const inline = {
    ...after,
    nodes: mergedText(after.nodes, change.text, marking),
    ...(change.fragments && { fragments: mergedFragments(after.fragments ?? [], change.fragments, marking) }),
  }
  if (settings.length > 0) marking.mark(inline, { kind: 'change', settings })
  return [inline]
}

/** Fragments with what they were before; those that are gone are not shown. */
export function mergedFragments(
  after: readonly DocumentFragment[],
  steps: readonly FragmentStep[],
  marking: Marking,
): DocumentFragment[] {
  let at = 0
  const merged = steps.flatMap((step): DocumentFragment[] => {
    if (step.type === 'delete') {
      return step.fragments.map(fragment => ({
        ...fragment,
        nodes: marking.blocks([], [{ type: 'delete', nodes: fragment.nodes }]),
      }))
    }
    const count = step.type === 'equal' ? step.count : step.type === 'insert' ? step.fragments.length : 1
    const own = after.slice(at, at + count)
    at += count
    if (step.type === 'equal') return own
    return own.map(fragment => {
      const steps: BlockStep[] = step.type === 'change' ? step.nodes : [{ type: 'insert', nodes: fragment.nodes }]
      return { ...fragment, nodes: marking.blocks(fragment.nodes, steps) }
    })
  })
  return [...merged, ...after.slice(at)]
}
