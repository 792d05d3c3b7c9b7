import type { DocumentBlock } from '../document/schema.ts'
import type { ContentNode } from './content-ids.ts'
import type { BlockStep, CellChange, DocumentDifference, FragmentStep, RowStep, TextStep } from './schema.ts'
import { isWord, segmentsOf } from './words.ts'

/** How much a difference inserts and deletes, in words; what has none, such as an image, counts as one. Moved blocks count as neither. */
export interface DifferenceCounts {
  insertions: number
  deletions: number
}

/** Counts the words that a difference inserts and deletes. A change of a field alone counts as one of each. */
export function countDifference({ nodes }: DocumentDifference): DifferenceCounts {
  const counts = { insertions: 0, deletions: 0 }
  countBlocks(nodes, counts)
  return counts
}

function countBlocks(steps: readonly BlockStep[], counts: DifferenceCounts): void {
  for (const step of steps) {
    if (step.type === 'equal') continue
    if (step.type !== 'change') {
      if (step.move === undefined) add(step.type, wordCount(step.nodes), counts)
      continue
    }
    const before = counts.insertions + counts.deletions
    countBlocks(step.nodes ?? [], counts)
    countText(step.text ?? [], counts)
    countFragments(step.fragments ?? [], counts)
    countRows(step.rows ?? [], counts)
    if (counts.insertions + counts.deletions === before) countField(counts)
  }
}

function add(type: 'insert' | 'delete', words: number, counts: DifferenceCounts): void {
  counts[type === 'insert' ? 'insertions' : 'deletions'] += words
}

function countField(counts: DifferenceCounts): void {
  counts.insertions += 1
  counts.deletions += 1
}

function countText(steps: readonly TextStep[], counts: DifferenceCounts): void {
  for (const step of steps) {
    if (step.type === 'equal') continue
    if (step.type !== 'change') add(step.type, wordCount(step.text), counts)
    else {
      if (step.properties) countField(counts)
      countText(step.text ?? [], counts)
      countFragments(step.fragments ?? [], counts)
    }
  }
}

function countFragments(steps: readonly FragmentStep[], counts: DifferenceCounts): void {
  for (const step of steps) {
    if (step.type === 'change') countBlocks(step.nodes, counts)
    else if (step.type !== 'equal') add(step.type, wordCount(step.fragments), counts)
  }
}

function countRows(steps: readonly RowStep[], counts: DifferenceCounts): void {
  for (const step of steps) {
    if (step.type === 'change') for (const cell of step.cells) countCell(cell, counts)
    else if (step.type !== 'equal')
      for (const row of step.rows) add(step.type, wordCount(Object.values(row.texts).flat()), counts)
  }
}

function countCell({ nodes = [], before, after }: CellChange, counts: DifferenceCounts): void {
  countBlocks(nodes, counts)
  if (before !== undefined) counts.deletions += 1
  if (after !== undefined) counts.insertions += 1
}

function wordCount(nodes: readonly ContentNode[]): number {
  return Math.max(
    1,
    nodes.reduce((sum, node) => sum + wordsOf(node), 0),
  )
}

function wordsOf(node: ContentNode): number {
  if (node.object === 'text')
    return node.leaves.reduce((sum, { text }) => sum + segmentsOf(text).filter(isWord).length, 0)
  const { nodes = [], fragments = [] } = node as DocumentBlock
  return [...nodes, ...fragments].reduce((sum, child) => sum + wordsOf(child), 0)
}
