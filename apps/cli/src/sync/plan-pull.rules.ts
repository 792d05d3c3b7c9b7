/** The files of a folder, of its last pull, and those that a pull plans: path to git object. */
export interface PullSides {
  folder: ReadonlyMap<string, string>
  /** The files as the last pull left them; empty before the first one. */
  pulled: ReadonlyMap<string, string>
  writes: ReadonlyMap<string, string>
  deletes: ReadonlySet<string>
  /** All paths that the space has, and those that describe its content. */
  owned: ReadonlySet<string>
  /** The objects of the space by path, where they are known without a download. */
  current: ReadonlyMap<string, string>
}

/** The changes of a pull to a folder. */
export interface PullPlan {
  writes: Map<string, string>
  deletes: string[]
  /** Files that both sides changed. */
  conflicts: string[]
  /** Files of the folder that `force` replaces or deletes though the folder changed them. */
  replaced: string[]
  /** The files of the next state. */
  pulled: Map<string, string>
}

/**
 * Decides what a pull writes: what only the space changed. A file that only the folder changed stays, and one that both changed is a
 * conflict, unless `force` takes that of the space. Nothing is deleted that no pull wrote.
 */
export function planPull(sides: PullSides, { force }: { force: boolean }): PullPlan {
  const { folder, pulled, writes, deletes } = sides
  const plan: PullPlan = { writes: new Map(), deletes: [], conflicts: [], replaced: [], pulled: carriedOver(sides) }
  const takeConflict = (path: string): boolean => {
    if (!force) plan.conflicts.push(path)
    else if (folder.has(path)) plan.replaced.push(path)
    return force
  }
  for (const [path, oid] of writes) {
    plan.pulled.set(path, oid)
    if (folder.get(path) === oid) continue
    const isAsPulled = folder.get(path) === pulled.get(path)
    if (isAsPulled || takeConflict(path)) plan.writes.set(path, oid)
  }
  for (const path of deletes) {
    const oid = pulled.get(path)
    plan.pulled.delete(path)
    if (oid === undefined || !folder.has(path)) continue
    if (folder.get(path) === oid || takeConflict(path)) plan.deletes.push(path)
  }
  plan.conflicts.sort()
  return plan
}

/** The state of files that the pull leaves alone: as it was, and as it is where the folder had the same file before the first pull. */
function carriedOver({ folder, pulled, owned, current }: PullSides): Map<string, string> {
  const files = new Map([...pulled].filter(([path]) => owned.has(path) || folder.has(path)))
  for (const path of owned) {
    const oid = folder.get(path)
    if (oid === undefined || files.has(path)) continue
    if (!current.has(path) || current.get(path) === oid) files.set(path, oid)
  }
  return files
}
