import type { PageRecord } from '../revisions/records.ts'
import { conflictOf } from './merge-record.rules.ts'
import type { MergedTree } from './merged-tree.ts'
import { otherSide, type Side } from './three-way.ts'

/**
 * Makes a tree of the merged pages: every parent exists, no page is below itself, and only documents and groups have pages below them. Only
 * pages that differ on a side can break that, as both sides are trees. Each page is placed as its side has it at most once, so this ends.
 */
export function placePages(tree: MergedTree): { reparented: string[] } {
  const reparented: string[] = []
  for (;;) {
    if (placeOrphans(tree)) continue
    if (breakCycles(tree)) continue
    const misplaced = liftMisplaced(tree)
    if (misplaced.length === 0) return { reparented }
    reparented.push(...misplaced)
  }
}

/** Decides what becomes of pages whose parent is deleted. Returns whether there was one. */
function placeOrphans(tree: MergedTree): boolean {
  const orphans = tree.touched().filter(({ parent }) => parent !== null && !tree.get(parent))
  for (const { id } of orphans) {
    const record = tree.get(id)
    if (record && record.parent !== null && !tree.get(record.parent)) placeOrphan(record, record.parent, tree)
  }
  return orphans.length > 0
}

/** One side deleted the parent. The page stays, with its parent as the other side has it, or follows the deletion: it is gone, or where the deleting side has it. */
function placeOrphan(record: PageRecord, parent: string, tree: MergedTree): void {
  const { id } = record
  const above = tree.sides.get(parent)
  const keeper: Side = above?.changeRequest ? 'changeRequest' : 'main'
  const elsewhere = tree.sides.get(id)?.[otherSide(keeper)]
  if (decideOrphan(record, { parent, keeper, tree }) === keeper) {
    tree.set(parent, above?.[keeper])
    tree.dropped.delete(parent)
    tree.forced.set(parent, keeper)
  } else if (elsewhere) {
    tree.set(id, { ...record, parent: elsewhere.parent, order: elsewhere.order })
  } else {
    tree.set(id, undefined)
    tree.dropped.add(id)
  }
}

function decideOrphan(
  { id }: PageRecord,
  { parent, keeper, tree }: { parent: string; keeper: Side; tree: MergedTree },
): Side {
  const sides = tree.sides.get(id)
  const forced = tree.forced.get(id)
  if (forced) return forced
  const isNew = sides?.[otherSide(keeper)] === undefined && sides?.base === undefined
  // A page inserted below a page in conflict is part of that conflict.
  if (isNew && tree.dropped.has(parent) && !tree.decisions.has({ page: id })) return otherSide(keeper)
  const records = sides ?? { base: undefined, main: undefined, changeRequest: undefined }
  return tree.decisions.side(conflictOf({ kind: 'deleted', page: id, ancestor: parent }, records))
}

/** Places the moved pages of cycles as a side has them. Returns whether there was a cycle. */
function breakCycles(tree: MergedTree): boolean {
  const cycles = findCycles(tree)
  for (const cycle of cycles) {
    const moved = cycle.filter(id => isMoved(id, tree))
    const isBroken = moved.map(id => placeAs(id, tree.decideMove(id), tree)).includes(true)
    // The resolutions contradict each other: their pages stay in conflict, and are where main content has them.
    if (!isBroken) for (const id of moved) returnToMain(id, tree)
  }
  return cycles.length > 0
}

function isMoved(id: string, { sides }: MergedTree): boolean {
  const page = sides.get(id)
  return (
    page !== undefined && (page.main?.parent !== page.base?.parent || page.changeRequest?.parent !== page.base?.parent)
  )
}

/** Places a page as a side has it. Returns whether that is another parent. */
function placeAs(id: string, side: Side, tree: MergedTree): boolean {
  const [record, wanted] = [tree.get(id), tree.sides.get(id)?.[side]]
  if (!record || !wanted || record.parent === wanted.parent) return false
  tree.set(id, { ...record, parent: wanted.parent, order: wanted.order })
  return true
}

function returnToMain(id: string, tree: MergedTree): void {
  tree.decisions.leave(tree.moveConflict(id))
  if (placeAs(id, 'main', tree)) tree.forced.set(id, 'main')
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

/** Moves pages up that are below a page without pages below it, and groups that are not at the root. Returns their ids. */
function liftMisplaced(tree: MergedTree): string[] {
  const misplaced = tree.touched().filter(record => isMisplaced(record, tree))
  for (const record of misplaced) {
    tree.decisions.side(tree.moveConflict(record.id))
    let parent = record.type === 'group' ? null : record.parent
    while (parent !== null && !canHavePages(tree.get(parent))) parent = tree.get(parent)?.parent ?? null
    tree.set(record.id, { ...record, parent })
  }
  return misplaced.map(({ id }) => id)
}

function isMisplaced({ type, parent }: PageRecord, tree: MergedTree): boolean {
  if (parent === null) return false
  return type === 'group' || !canHavePages(tree.get(parent))
}

function canHavePages(record: PageRecord | undefined): boolean {
  return record?.type === 'document' || record?.type === 'group'
}
