import { applyResolutions, type AppliedResolutions } from './apply-resolutions.rules.ts'
import { type Choices, choicesOf, isSettled } from './choices.ts'
import { type Conflict, type DetectedConflict, type MergedContent, type MergeInput, subjectKey } from './conflict.ts'
import { inOrder } from './conflict-order.ts'
import { detectConflicts } from './detect-conflicts.rules.ts'
import { refusedResolutions } from './refused-resolutions.rules.ts'
import { mapSides, mergedSide, sidesById, type Sides } from './three-way.ts'

/** The hashes of the texts that are merged by line: those that both sides changed differently. */
export function textsToMerge({ pages, reusable }: Pick<MergeInput, 'pages' | 'reusable'>): Sides<string>[] {
  const all: Sides<{ document?: string }>[] = [...sidesById(pages).values(), ...sidesById(reusable).values()]
  return all
    .filter(({ main, changeRequest }) => main && changeRequest)
    .map(sides => mapSides(sides, ({ document }) => document))
    .filter(documents => mergedSide(documents) === undefined)
}

/** The distinct hashes of the documents of all sides. */
export function documentsToMerge(texts: readonly Sides<string>[]): string[] {
  return [...new Set(texts.flatMap(({ base, main, changeRequest }) => [base, main, changeRequest]))].filter(
    hash => hash !== undefined,
  )
}

/**
 * Merges a change request into main content. A value that one side changed is taken; a value that both changed differently is a conflict,
 * which resolutions settle. The cost grows with the differences, not with the content.
 *
 * Conflicts of structure depend on how other conflicts are settled. The open ones are therefore found by two merges: one takes main
 * content in each conflict, the other the change request.
 */
export function mergeContent(input: MergeInput): MergedContent {
  const detected = detectConflicts(input)
  const merge = resolve(input, detected)
  const unresolved = () => resolve({ ...input, resolutions: [], others: undefined }, detected).conflicts
  return {
    ...merge.content,
    conflicts: inOrder(merge.open, input),
    refused: refusedResolutions(input.resolutions ?? [], { ...merge, unresolved }),
  }
}

interface Resolved extends AppliedResolutions {
  /** Conflicts that no resolution settles. */
  open: Conflict[]
}

/** The content that the resolutions of a merge make, with all of its conflicts. */
function resolve(input: MergeInput, detected: readonly DetectedConflict[]): Resolved {
  const { resolutions = [], others } = input
  const choices = choicesOf(resolutions, others ?? 'main')
  const applied = applyResolutions(input, choices)
  const conflicts = [...detected, ...applied.conflicts]
  if (others !== undefined) return { ...applied, conflicts, open: [] }
  const open = openConflicts(conflicts, choices)
  if (open.length === 0) return { ...applied, conflicts, open }
  const otherwise = applyResolutions(input, { ...choices, otherwise: 'changeRequest' })
  const all = [...conflicts, ...otherwise.conflicts]
  return { ...applied, conflicts: all, open: openConflicts(all, choices) }
}

/** The conflicts that no resolution settles, each once. */
function openConflicts(conflicts: readonly DetectedConflict[], choices: Choices): Conflict[] {
  const open = new Map<string, Conflict>()
  for (const detected of conflicts) {
    const { conflict } = detected
    const key = `${conflict.kind} ${conflict.field ?? ''} ${subjectKey(conflict)}`
    if (!isSettled(choices, detected) && !open.has(key)) open.set(key, conflict)
  }
  return [...open.values()]
}
