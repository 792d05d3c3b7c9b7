import type { ObjectStore } from '@recto/git-pack'
import type { Content } from '@recto/repository-export'
import { readCommit } from './read-tip.ts'

/** Limit on the commits of a history that are read. */
const maxCommits = 10_000

/** Lists the commits of a clone from its tip on, nearest first. A clone without history has only the tip and its parents. */
export async function* commitsFrom(store: ObjectStore, tip: string): AsyncGenerator<string> {
  const seen = new Set([tip])
  for (const oid of seen) {
    yield oid
    // Iterating over a set includes what is added meanwhile.
    if (seen.size > maxCommits || !store.has(oid)) continue
    for (const parent of readCommit(oid, await store.read(oid, 'commit')).parents) seen.add(parent)
  }
}

/** Content whose base is an earlier push, if the branch has its commit: the server took the push, but its reply was lost. Else undefined. */
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
