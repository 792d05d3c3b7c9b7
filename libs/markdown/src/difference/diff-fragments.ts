import type { DocumentFragment } from '../document/schema.ts'
import type { FragmentStep } from './schema.ts'
import { sequenceHunks } from './sequence-hunks.ts'
import { ownFields, stableText } from './content-ids.ts'
import type { DiffTools } from './tools.ts'

/** Compares the fragments of a node, which are the same by their names and types; none for fragments that are equal. */
export function diffFragments(
  before: readonly DocumentFragment[],
  after: readonly DocumentFragment[],
  tools: DiffTools,
): FragmentStep[] {
  const nameOf = (fragment: DocumentFragment) => stableText(ownFields(fragment))
  const steps: FragmentStep[] = []
  let at = 0
  let newAt = 0
  const pairUntil = (end: number) => {
    for (; at < end; at += 1, newAt += 1)
      add(steps, inPair(before[at] as DocumentFragment, after[newAt] as DocumentFragment, tools))
  }
  for (const { start, end, newStart, newEnd } of sequenceHunks(before.map(nameOf), after.map(nameOf))) {
    pairUntil(start)
    if (end > start) steps.push({ type: 'delete', fragments: before.slice(start, end) })
    if (newEnd > newStart) steps.push({ type: 'insert', fragments: after.slice(newStart, newEnd) })
    at = end
    newAt = newEnd
  }
  pairUntil(before.length)
  return steps.every(({ type }) => type === 'equal') ? [] : steps
}

function inPair(before: DocumentFragment, after: DocumentFragment, tools: DiffTools): FragmentStep {
  if (tools.ids.of(before) === tools.ids.of(after)) return { type: 'equal', count: 1 }
  return {
    type: 'change',
    fragment: after.fragment ?? after.type ?? '',
    nodes: tools.blocks(before.nodes, after.nodes),
  }
}

function add(steps: FragmentStep[], next: FragmentStep): void {
  const last = steps.at(-1)
  if (last?.type === 'equal' && next.type === 'equal') last.count += next.count
  else steps.push(next)
}
