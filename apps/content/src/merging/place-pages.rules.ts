import type { PageRecord } from '../revisions/records.ts'
import { type Choices, isNamed, sideOf } from './choices.ts'
import type { DetectedConflict } from './conflict.ts'
import { conflictOf } from './merge-record.rules.ts'
import type { MergedTree } from './merged-tree.ts'
import { moveConflict } from './move-conflict.ts'
import { otherSide, type Side } from './three-way.ts'

/** The outcome of placing pages. */
export interface Placement {
  /** The conflicts that placing pages met. */
  conflicts: DetectedConflict[]
  /** The pages that had to move up. */
  reparented: string[]
}

/**
 * Makes a tree of the merged pages: every parent exists, no page is below itself, and only documents and groups have pages below them. Only
 * pages that differ on a side can break that, as both sides are trees. It ends because each page is placed as its side has it at most once.
 */
export function placePages(tree: MergedTree, choices: Choices): Placement {
  const conflicts: DetectedConflict[] = []
  const reparented: string[] = []
  for (;;) {
    const orphans = findOrphans(tree)
    if (orphans.length > 0) {
      conflicts.push(...orphans.flatMap(orphan => placeOrphan(orphan, tree, choices)))
      continue
    }
    const cycles = findCycles(tree)
    if (cycles.length > 0) {
      conflicts.push(...cycles.flatMap(cycle => breakCycle(cycle, tree, choices)))
      continue
    }
    const misplaced = tree.touched().filter(record => isMisplaced(record, tree))
    if (misplaced.length === 0) return { conflicts, reparented }
    for (const record of misplaced) moveUp(record, tree)
    conflicts.push(...misplaced.map(({ id }) => moveConflict(id, tree.trees)))
    reparented.push(...misplaced.map(({ id }) => id))
  }
}

/** The ids of the pages whose parent is deleted. */
function findOrphans(tree: MergedTree): string[] {
  return tree
    .touched()
    .filter(({ parent }) => parent !== null && !tree.get(parent))
    .map(({ id }) => id)
}

/**
 * Places a page whose parent one side deleted, unless placing another one has brought that back. The page stays, with its parent as the
 * other side has it, or follows the deletion: it is deleted, or placed as the deleting side has it. Returns the conflict.
 */
function placeOrphan(id: string, tree: MergedTree, choices: Choices): DetectedConflict[] {
  const record = tree.get(id)
  if (!record || record.parent === null || tree.get(record.parent)) return []
  const { parent } = record
  const keeper: Side = tree.sides.get(parent)?.changeRequest ? 'changeRequest' : 'main'
  const conflict = orphanConflict(id, { parent, keeper, tree, choices })
  const side = tree.forced.get(id) ?? (conflict ? sideOf(choices, { page: id }) : otherSide(keeper))
  if (side === keeper) restore(parent, keeper, tree)
  else followDeletion(record, otherSide(keeper), tree)
  return conflict ? [conflict] : []
}

/** The conflict of a page whose parent is deleted; undefined when another choice has placed the page already. */
function orphanConflict(
  id: string,
  { parent, keeper, tree, choices }: { parent: string; keeper: Side; tree: MergedTree; choices: Choices },
): DetectedConflict | undefined {
  const sides = tree.sides.get(id) ?? { base: undefined, main: undefined, changeRequest: undefined }
  const isNew = sides[otherSide(keeper)] === undefined && sides.base === undefined
  // A page inserted below a page in conflict is part of that conflict.
  const isPartOfAnother = isNew && tree.dropped.has(parent) && !isNamed(choices, { page: id })
  if (tree.forced.has(id) || isPartOfAnother) return undefined
  return conflictOf({ kind: 'deleted', page: id, ancestor: parent }, sides)
}

function restore(id: string, side: Side, tree: MergedTree): void {
  tree.set(id, tree.sides.get(id)?.[side])
  tree.dropped.delete(id)
  tree.forced.set(id, side)
}

function followDeletion(record: PageRecord, deletingSide: Side, tree: MergedTree): void {
  const place = tree.sides.get(record.id)?.[deletingSide]
  if (place) {
    tree.set(record.id, { ...record, parent: place.parent, order: place.order })
  } else {
    tree.set(record.id, undefined)
    tree.dropped.add(record.id)
  }
}

/** Places the moved pages of a cycle as a side has them. Returns the conflicts of these moves. */
function breakCycle(cycle: string[], tree: MergedTree, choices: Choices): DetectedConflict[] {
  const moved = cycle.filter(id => isMoved(id, tree))
  const conflicts = moved.filter(id => !tree.forced.has(id)).map(id => moveConflict(id, tree.trees))
  const sideOfMove = (id: string) => tree.forced.get(id) ?? sideOf(choices, { page: id })
  const isBroken = moved.map(id => placeAs(id, sideOfMove(id), tree)).includes(true)
  if (isBroken) return conflicts
  // The resolutions contradict each other: their pages stay in conflict, and are where main content has them.
  for (const id of moved) if (placeAs(id, 'main', tree)) tree.forced.set(id, 'main')
  const contradictions = moved.map(id => moveConflict(id, tree.trees))
  return [...conflicts, ...contradictions.map(({ conflict }) => ({ conflict, settledBy: 'none' as const }))]
}

function isMoved(id: string, { sides }: MergedTree): boolean {
  const page = sides.get(id)
  return (
    page !== undefined && (page.main?.parent !== page.base?.parent || page.changeRequest?.parent !== page.base?.parent)
  )
}

/** Places a page as a side has it. Returns whether its parent changed. */
function placeAs(id: string, side: Side, tree: MergedTree): boolean {
  const record = tree.get(id)
  const place = tree.sides.get(id)?.[side]
  if (!record || !place || record.parent === place.parent) return false
  tree.set(id, { ...record, parent: place.parent, order: place.order })
  return true
}

function findCycles(tree: MergedTree): string[][] {
  const done = new Set<string>()
  const cycles: string[][] = []
  for (const { id } of tree.touched()) {
    const path = new Set<string>()
    let at: string | null = id
    while (at !== null && !done.has(at) && !path.has(at)) {
      path.add(at)
      at = tree.get(at)?.parent ?? null
    }
    const ids = [...path]
    if (at !== null && path.has(at)) cycles.push(ids.slice(ids.indexOf(at)))
    for (const each of ids) done.add(each)
  }
  return cycles
}

/** Moves a page out of a parent that cannot have pages, and a group to the root. */
function moveUp(record: PageRecord, tree: MergedTree): void {
  let parent = record.type === 'group' ? null : record.parent
  while (parent !== null && !canHavePages(tree.get(parent))) parent = tree.get(parent)?.parent ?? null
  tree.set(record.id, { ...record, parent })
}

function isMisplaced({ type, parent }: PageRecord, tree: MergedTree): boolean {
  if (parent === null) return false
  return type === 'group' || !canHavePages(tree.get(parent))
}

function canHavePages(record: PageRecord | undefined): boolean {
  return record?.type === 'document' || record?.type === 'group'
}
