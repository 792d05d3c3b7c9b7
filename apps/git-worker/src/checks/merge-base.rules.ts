/** The tips of a pull request and of the branch that it is for. */
export interface Tips {
  head: string
  branch: string
}

/** The parents of a commit; undefined for one that the clone does not have. */
export type ParentsOf = (oid: string) => Promise<readonly string[] | undefined>

/** Limit on the commits of a history that are read. */
const maxCommits = 10_000

/**
 * The commit that a pull request began from, or that it merged last: of the commits that it shares with the branch, the nearest to the tip
 * of the branch. Undefined where the clone does not tell it, as when its history was not fetched.
 */
export async function mergeBase({ head, branch }: Tips, parentsOf: ParentsOf): Promise<string | undefined> {
  const ofBranch = [...(await walk(branch, parentsOf, new Set()))]
  const shared = new Set(ofBranch)
  const reached = await walk(head, parentsOf, shared)
  return ofBranch.find(oid => reached.has(oid))
}

/** The commits from a tip on, nearest first; of the shared ones only those that it reaches first. */
async function walk(tip: string, parentsOf: ParentsOf, shared: ReadonlySet<string>): Promise<Set<string>> {
  const commits = new Set([tip])
  // Iterating over a set includes what is added meanwhile.
  for (const oid of commits) {
    if (shared.has(oid)) continue
    if (commits.size > maxCommits) break
    for (const parent of (await parentsOf(oid)) ?? []) commits.add(parent)
  }
  return commits
}
