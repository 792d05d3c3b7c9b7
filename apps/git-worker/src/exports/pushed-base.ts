import type { ObjectStore } from '@recto/git-pack'
import type { Content } from './export-content.ts'
import { readCommit } from './read-tip.ts'

/** Commits that are looked at. */
const maxCommits = 10_000

/** The commits of a clone from its tip on, the nearest first. A clone without history knows the tip and its parents only. */
export async function* commitsFrom(store: ObjectStore, tip: string): AsyncGenerator<string> {
  const seen = new Set([tip])
  for (const oid of seen) {
    yield oid
    // A set goes on with what is added while it is read.
    if (seen.size > maxCommits || !store.has(oid)) continue
    for (const parent of readCommit(oid, await store.read(oid, 'commit')).parents) seen.add(parent)
  }
}

/** Content whose base is what an earlier export pushed, where the branch has that commit: its server took the push, but the answer was lost. */
export async function withPushedBase(
  content: Content,
  store: ObjectStore | undefined,
  tip: string,
): Promise<Content | undefined> {
  if (!store || !content.pushed?.length) return undefined
  const pushes = new Map(content.pushed.map(state => [state.pushed, state]))
  for await (const oid of commitsFrom(store, tip)) {
    const base = pushes.get(oid)
    if (base) return { ...content, base, isSameBranch: true }
  }
  return undefined
}
