import type { DocumentInline, DocumentNode } from '../document/schema.ts'
import { stableText } from './content-ids.ts'
import { diffFragments } from './diff-fragments.ts'
import { isDivisible, isMeaningful, joinText, splitText, type Piece } from './pieces.ts'
import { diffProperties } from './properties.ts'
import type { InlineNode, TextStep } from './schema.ts'
import { sequenceHunks, type Hunk } from './sequence-hunks.ts'
import type { DiffTools } from './tools.ts'

/** Compares text word by word. */
export function diffText(before: readonly InlineNode[], after: readonly InlineNode[], tools: DiffTools): TextStep[] {
  const old = splitText(before)
  const current = splitText(after)
  const idOf = (piece: Piece) => (piece.object === 'text' ? stableText(piece.leaves[0]) : tools.ids.of(piece))
  const hunks = withoutFragments(sequenceHunks(old.map(idOf), current.map(idOf)), old)
  const steps: TextStep[] = []
  let at = 0
  for (const hunk of hunks) {
    steps.push(...step('equal', old.slice(at, hunk.start)))
    steps.push(...inHunk(old.slice(hunk.start, hunk.end), current.slice(hunk.newStart, hunk.newEnd), tools))
    at = hunk.end
  }
  return [...steps, ...step('equal', old.slice(at))]
}

/** Joins hunks between which no word stays: a space or a comma between two others is read as changed with them. */
function withoutFragments(hunks: readonly Hunk[], pieces: readonly Piece[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const between = last ? pieces.slice(last.end, hunk.start) : []
    const isReplaced = last !== undefined && replaces(last) && replaces(hunk)
    if (isReplaced && !between.some(isMeaningful))
      joined[joined.length - 1] = { ...hunk, start: last.start, newStart: last.newStart }
    else joined.push(hunk)
  }
  return joined
}

function replaces({ start, end, newStart, newEnd }: Hunk): boolean {
  return end > start && newEnd > newStart
}

function step(type: 'equal' | 'insert' | 'delete', pieces: readonly Piece[]): TextStep[] {
  return pieces.length === 0 ? [] : [{ type, text: joinText(pieces) }]
}

/** Inlines of the same type that are replaced by each other are compared by themselves. */
function inHunk(before: readonly Piece[], after: readonly Piece[], tools: DiffTools): TextStep[] {
  const kindOf = (side: string) => (piece: Piece, at: number) =>
    piece.object === 'inline' ? kindOfInline(piece) : `${side}${at}`
  const steps: TextStep[] = []
  let at = 0
  let newAt = 0
  const pairUntil = (end: number) => {
    for (; at < end; at += 1, newAt += 1)
      steps.push(inlineChange(before[at] as DocumentInline, after[newAt] as DocumentInline, tools))
  }
  for (const { start, end, newStart, newEnd } of sequenceHunks(before.map(kindOf('-')), after.map(kindOf('+')))) {
    pairUntil(start)
    steps.push(...step('delete', before.slice(start, end)), ...step('insert', after.slice(newStart, newEnd)))
    at = end
    newAt = newEnd
  }
  pairUntil(before.length)
  return steps
}

/** Inlines are forms of each other when they are of one type and of one shape; what cannot be divided, only of itself. */
function kindOfInline({ type, nodes, fragments }: DocumentInline): string {
  const content = nodes && (isDivisible(nodes) ? 'text' : stableText(nodes))
  return stableText([type, content, fragments !== undefined])
}

function inlineChange(before: DocumentInline, after: DocumentInline, tools: DiffTools): TextStep {
  const properties = diffProperties(before, after)
  const text = textOf(before.nodes, after.nodes, tools)
  const fragments = diffFragments(before.fragments ?? [], after.fragments ?? [], tools)
  return {
    type: 'change',
    inline: after.type,
    ...(properties.length > 0 && { properties }),
    ...(text && { text }),
    ...(fragments.length > 0 && { fragments }),
  }
}

function textOf(
  before: readonly DocumentNode[] | undefined,
  after: readonly DocumentNode[] | undefined,
  tools: DiffTools,
): TextStep[] | undefined {
  if (!before || !after || !isDivisible(before) || !isDivisible(after)) return undefined
  return diffText(before, after, tools)
}
