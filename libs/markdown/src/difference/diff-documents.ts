import type { DocumentBlock, JSONDocument } from '../document/schema.ts'
import { align, type Aligned, type ItemRules } from './align.ts'
import { contentIds, stableText } from './content-ids.ts'
import { diffFragments } from './diff-fragments.ts'
import { diffGrid } from './diff-grid.ts'
import { diffText } from './diff-text.ts'
import { gridFields, readGrid } from './grid.ts'
import { isDivisible } from './pieces.ts'
import { diffProperties } from './properties.ts'
import type { BlockChange, BlockStep, DocumentDifference } from './schema.ts'
import type { DiffTools } from './tools.ts'
import { similarity, wordsIn } from './words.ts'

/**
 * Finds the difference of two documents:
 *
 * | blocks                                       | are                                                        |
 * | -------------------------------------------- | ---------------------------------------------------------- |
 * | of the same content, in the same order        | `equal`                                                    |
 * | of one kind, with enough words in common      | `change`: their fields, and the text or blocks in them     |
 * | of the first document alone                   | `delete`                                                   |
 * | of the second document alone                  | `insert`                                                   |
 * | deleted in one place and inserted in another  | `delete` and `insert` with the same number as `move`       |
 *
 * Keys of nodes are no content. The work grows with the length of the documents, not with its square.
 */
export function diffDocuments(before: JSONDocument, after: JSONDocument): DocumentDifference {
  const tools = diffTools()
  const nodes = withMoves(tools.blocks(before.nodes, after.nodes), tools)
  return { nodes: nodes.every(({ type }) => type === 'equal') ? [] : nodes }
}

function diffTools(): DiffTools {
  const words = new Map<object, string[]>()
  const tools: DiffTools = {
    ids: contentIds(),
    words(node) {
      const existingWords = words.get(node) ?? wordsIn(node)
      words.set(node, existingWords)
      return existingWords
    },
    blocks: (before, after) => stepsOf(align(before, after, blockRules(tools)), tools),
  }
  return tools
}

/** Types of blocks that can become each other. */
const families: Readonly<Record<string, string>> = {
  paragraph: 'text',
  'heading-1': 'text',
  'heading-2': 'text',
  'heading-3': 'text',
  'list-ordered': 'list',
  'list-unordered': 'list',
  'list-tasks': 'list',
}
/** Words with which blocks of the same beginning begin. */
const beginning = 4
/** How much alike blocks are that have other blocks in them, whatever the words: they are compared by these. */
const likenessOfContainers = 0.3

function blockRules(tools: DiffTools): ItemRules<DocumentBlock> {
  const kinds = new Map<DocumentBlock, string>()
  const kind = (block: DocumentBlock) => {
    const existingKind = kinds.get(block) ?? kindOf(block, tools)
    kinds.set(block, existingKind)
    return existingKind
  }
  return {
    id: tools.ids.of,
    weakId: block => stableText([kind(block), tools.words(block).slice(0, beginning)]),
    kind,
    similarity(before, after) {
      const likeness = similarity(tools.words(before), tools.words(after))
      const isContainer = before.nodes?.some(({ object }) => object === 'block') === true || before.type === 'table'
      return isContainer ? likenessOfContainers + (1 - likenessOfContainers) * likeness : likeness
    },
  }
}

/** The family and the shape of a block: one of another shape is another block, as is one whose text cannot be divided. */
function kindOf(block: DocumentBlock, { ids }: DiffTools): string {
  const { type, nodes, fragments } = block
  if (type === 'table') return stableText([readGrid(block) ? 'grid' : ids.of(block)])
  const family = Object.hasOwn(families, type) ? families[type] : type
  const hasBlocks = nodes?.some(({ object }) => object === 'block')
  const isWhole = nodes && (hasBlocks ? nodes.some(({ object }) => object !== 'block') : !isDivisible(nodes))
  return stableText([family, isWhole ? ids.of(block) : nodes !== undefined, fragments !== undefined])
}

function stepsOf(aligned: readonly Aligned<DocumentBlock>[], tools: DiffTools): BlockStep[] {
  const steps: BlockStep[] = []
  for (const step of aligned) {
    const last = steps.at(-1)
    if (step.type === 'change') steps.push(blockChange(step.before, step.after, tools))
    else if (step.type === 'equal') {
      if (last?.type === 'equal') last.count += 1
      else steps.push({ type: 'equal', count: 1 })
    } else steps.push({ type: step.type, nodes: [step.type === 'insert' ? step.after : step.before] })
  }
  return steps
}

function blockChange(before: DocumentBlock, after: DocumentBlock, tools: DiffTools): BlockChange {
  const change = { type: 'change' as const, block: after.type }
  const beforeGrid = readGrid(before)
  const afterGrid = readGrid(after)
  if (beforeGrid && afterGrid) {
    const properties = diffProperties(before, after, gridFields)
    return { ...change, ...(properties.length > 0 && { properties }), ...diffGrid(beforeGrid, afterGrid, tools) }
  }
  const properties = diffProperties(before, after)
  const fragments = diffFragments(before.fragments ?? [], after.fragments ?? [], tools)
  return {
    ...change,
    ...(properties.length > 0 && { properties }),
    ...partsOf(before, after, tools),
    ...(fragments.length > 0 && { fragments }),
  }
}

/** The blocks or the text in two blocks. A block without nodes has either. */
function partsOf(before: DocumentBlock, after: DocumentBlock, tools: DiffTools): Pick<BlockChange, 'nodes' | 'text'> {
  if (!before.nodes || !after.nodes) return {}
  const isBlocks = [...before.nodes, ...after.nodes].some(({ object }) => object === 'block')
  if (isBlocks) return { nodes: tools.blocks(before.nodes as DocumentBlock[], after.nodes as DocumentBlock[]) }
  return isDivisible(before.nodes) && isDivisible(after.nodes)
    ? { text: diffText(before.nodes, after.nodes, tools) }
    : {}
}

/** Words of a block that is recognised in another place: fewer say too little. */
const minMovedWords = 3

/** Numbers the blocks that are deleted in one place and inserted in another, each once. */
function withMoves(steps: BlockStep[], tools: DiffTools): BlockStep[] {
  const deleted = new Map<string, (BlockStep & { type: 'delete' })[]>()
  const idOf = ({ nodes }: { nodes: DocumentBlock[] }) => nodes.map(tools.ids.of).join(' ')
  for (const step of steps)
    if (step.type === 'delete' && step.nodes.some(node => tools.words(node).length >= minMovedWords))
      deleted.set(idOf(step), [...(deleted.get(idOf(step)) ?? []), step])
  let move = 0
  for (const step of steps) {
    if (step.type !== 'insert') continue
    const origin = deleted.get(idOf(step))?.shift()
    if (!origin) continue
    move += 1
    origin.move = move
    step.move = move
  }
  return joined(steps)
}

/** Joins steps of the same kind that follow each other, but for moves. */
function joined(steps: readonly BlockStep[]): BlockStep[] {
  const result: BlockStep[] = []
  for (const step of steps) {
    const last = result.at(-1)
    const isApart = step.type === 'insert' || step.type === 'delete'
    if (isApart && last?.type === step.type && step.move === undefined && last.move === undefined)
      last.nodes.push(...step.nodes)
    else result.push(step)
  }
  return result
}
