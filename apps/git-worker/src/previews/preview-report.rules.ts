import { isError, type Finding } from '@recto/repository-check'

/** The result of checking the head of a pull request against its branch. */
export interface PreviewReport {
  /** The commit that the pull request began from, which it is compared with; absent where the clone does not tell it. */
  base?: string
  /** Pages whose file is new, different or gone. */
  pages: { added: number; changed: number; removed: number }
  /** Faults of the head that the branch does not have, the first of them in full. */
  faults: { errors: number; warnings: number; items: Finding[] }
  /** Whether an export of the imported head would make a commit; `unknown` where that could not be tried. */
  roundTrip: { state: 'identical' | 'different' | 'unknown'; paths: string[] }
}

/** Faults that a report has in full; forges take as many annotations at once. */
export const maxFaults = 50

/** Counts the pages that differ between two commits, by the object of each file. */
export function changedPages(
  base: ReadonlyMap<string, string>,
  head: ReadonlyMap<string, string>,
): PreviewReport['pages'] {
  const added = [...head.keys()].filter(path => !base.has(path)).length
  const removed = [...base.keys()].filter(path => !head.has(path)).length
  const changed = [...head].filter(([path, oid]) => base.has(path) && base.get(path) !== oid).length
  return { added, changed, removed }
}

/** A report of some faults, which are in the order of their places: errors come first. */
export function reportOf(
  faults: readonly Finding[],
  { pages, roundTrip }: Pick<PreviewReport, 'pages' | 'roundTrip'>,
): PreviewReport {
  const errors = faults.filter(isError)
  const warnings = faults.filter(fault => !isError(fault))
  const items = [...errors, ...warnings].slice(0, maxFaults)
  return { pages, faults: { errors: errors.length, warnings: warnings.length, items }, roundTrip }
}
