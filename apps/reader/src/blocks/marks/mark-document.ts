import { applyToBlock, invertBlockChange } from '@recto/markdown'
import type { BlockChange, BlockStep, DocumentBlock, DocumentDifference, JSONDocument } from '@recto/markdown/schema'
import { fieldsOf } from '../model/read.ts'
import { mergedFragments, mergedText, type Marking } from './mark-text.ts'
import { mergedTable } from './mark-table.ts'
import { partsOfBlocks, wholeBlocks, type DocumentMarks, type Mark } from '../model/mark.ts'
import { settingsOf } from './settings.rules.ts'

/** A document with what another one had besides, each difference marked. */
export interface MarkedDocument extends DocumentMarks {
  document: JSONDocument
}

/**
 * Merges the second document of a difference with what only the first one has: words, rows and blocks of both are in their places and
 * marked. Pictures and the like stand one behind the other, as they were and as they are.
 */
export function markDocument(after: JSONDocument, difference: DocumentDifference): MarkedDocument {
  const marks = new Map<object, Mark>()
  const marking: Marking = {
    mark: (node, mark) => void marks.set(node, mark),
    blocks: (nodes, steps) => mergedBlocks(nodes, { steps, marking }),
  }
  const changed = new Set<DocumentBlock>()
  const nodes = mergedBlocks(after.nodes, { steps: difference.nodes, marking, changed })
  return { document: { ...after, nodes }, marks, changed }
}

interface Merging {
  steps: readonly BlockStep[]
  marking: Marking
  /** Collects the blocks that differ. */
  changed?: Set<DocumentBlock>
}

function mergedBlocks(after: readonly DocumentBlock[], { steps, marking, changed }: Merging): DocumentBlock[] {
  const result: DocumentBlock[] = []
  let at = 0
  for (const step of steps) {
    if (step.type === 'equal') {
      result.push(...after.slice(at, at + step.count))
      at += step.count
      continue
    }
    const merged = blocksOfStep(step, after.slice(at, at + lengthOf(step)), marking)
    at += lengthOf(step)
    result.push(...merged)
    for (const block of merged) changed?.add(block)
  }
  return [...result, ...after.slice(at)]
}

/** How many blocks of the second document a step is about. */
function lengthOf(step: BlockStep): number {
  if (step.type === 'delete') return 0
  return step.type === 'insert' ? step.nodes.length : 1
}

function blocksOfStep(
  step: Exclude<BlockStep, { type: 'equal' }>,
  after: readonly DocumentBlock[],
  marking: Marking,
): DocumentBlock[] {
  if (step.type === 'change') return after.flatMap(block => changedBlock(block, step, marking))
  const blocks = step.type === 'delete' ? step.nodes : after
  const isMoved = step.move !== undefined
  const kind = step.type === 'delete' ? (isMoved ? 'moved-out' : 'delete') : isMoved ? 'moved-in' : 'insert'
  return blocks.map(block => wholeBlock(block, { kind }, marking))
}

/** A block that differs as a whole. */
function wholeBlock(block: DocumentBlock, mark: Mark, marking: Marking): DocumentBlock {
  const copy = { ...block }
  marking.mark(copy, mark)
  if (partsOfBlocks.has(block.type))
    copy.nodes = (block.nodes ?? []).map(node => (node.object === 'block' ? wholeBlock(node, mark, marking) : node))
  return copy
}

function changedBlock(after: DocumentBlock, change: BlockChange, marking: Marking): DocumentBlock[] {
  if (wholeBlocks.has(after.type) || isCards(after)) return bothBlocks(after, change, marking)
  if (after.type === 'code') return [codeBlock(after, change, marking)]
  const settings = settingsOf(change.properties ?? [])
  const parts = change.rows || change.columns ? mergedTable(after, change, marking) : undefined
  const block: DocumentBlock = parts ?? {
    ...after,
    ...(change.nodes && { nodes: marking.blocks((after.nodes ?? []) as DocumentBlock[], change.nodes) }),
    ...(change.text && { nodes: mergedText(after.nodes ?? [], change.text, marking) }),
    ...(change.fragments && { fragments: mergedFragments(after.fragments ?? [], change.fragments, marking) }),
  }
  if (settings.length > 0) marking.mark(block, { kind: 'change', settings })
  return [block]
}

/** Cards of a table stand side by side already. */
function isCards({ data }: DocumentBlock): boolean {
  return fieldsOf(data?.['view'])['type'] === 'cards'
}

/** A block as it was, and as it is. */
function bothBlocks(after: DocumentBlock, change: BlockChange, marking: Marking): DocumentBlock[] {
  const before = applyToBlock(after, invertBlockChange(change))
  return [wholeBlock(before, { kind: 'delete' }, marking), wholeBlock(after, { kind: 'insert' }, marking)]
}

/** Code line by line: a line that differs stands there as it was and as it is. */
function codeBlock(after: DocumentBlock, change: BlockChange, marking: Marking): DocumentBlock {
  const lines = (after.nodes ?? []) as DocumentBlock[]
  let at = 0
  const nodes = (change.nodes ?? [{ type: 'equal' as const, count: lines.length }]).flatMap((step): DocumentBlock[] => {
    if (step.type === 'delete') return step.nodes.map(line => wholeBlock(line, { kind: 'delete' }, marking))
    const own = lines.slice(at, at + (step.type === 'equal' ? step.count : lengthOf(step)))
    at += own.length
    if (step.type === 'equal') return own
    if (step.type === 'insert') return own.map(line => wholeBlock(line, { kind: 'insert' }, marking))
    return own.flatMap(line => bothBlocks(line, step, marking))
  })
  const block = { ...after, nodes: [...nodes, ...lines.slice(at)] }
  const settings = settingsOf(change.properties ?? [])
  if (settings.length > 0) marking.mark(block, { kind: 'change', settings })
  return block
}
