import { type Subject, subjectKey } from './conflict.ts'
import type { Side } from './three-way.ts'

/** Something that has a path in the merged content. */
export interface Claim {
  subject: Subject
  /** The path as it is compared. */
  path: string
  /** The path that it has on each side, as it is compared. */
  paths: Partial<Record<Side, string>>
}

/** A path that two things want; `holder` has it in main content. */
export interface Collision<Item> {
  claim: Item
  holder: Item
}

/**
 * The paths that several things want, because of the merge: both have it on one side already where it does not. Only things that differ on a
 * side need to be looked at, since on each side paths are unique.
 */
export function findCollisions<Item extends Claim>(claims: Iterable<Item>): Collision<Item>[] {
  const byPath = new Map<string, Item[]>()
  for (const claim of claims) byPath.set(claim.path, [...(byPath.get(claim.path) ?? []), claim])
  return [...byPath.values()].flatMap(items => {
    const [holder, ...others] = [...items].sort((a, b) => rank(a) - rank(b) || compareKeys(a, b))
    if (!holder) return []
    return others.filter(claim => !collidesBefore(claim, holder)).map(claim => ({ claim, holder }))
  })
}

/** The order of claims on a path: the holder in main content first, then the holder in the change request. */
function rank({ path, paths }: Claim): number {
  if (paths.main === path) return 0
  return paths.changeRequest === path ? 1 : 2
}

/** Breaks ties of `rank`, so that the holder is always the same one. */
function compareKeys(a: Claim, b: Claim): number {
  return subjectKey(a.subject) < subjectKey(b.subject) ? -1 : 1
}

function collidesBefore(a: Claim, b: Claim): boolean {
  const isAt = (side: Side, { path, paths }: Claim) => paths[side] === path
  return (['main', 'changeRequest'] as const).some(side => isAt(side, a) && isAt(side, b))
}
