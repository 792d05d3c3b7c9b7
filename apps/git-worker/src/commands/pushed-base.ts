import type { ObjectStore } from '@recto/git-pack'
import type { Content } from '../models/export/export-content.ts'
import { readCommit } from './read-tip.ts'

/** Commits that are looked at. */
const most = 10_000

/**
 * Content whose base is what an earlier export pushed, where the branch has that commit: its server took the push, but the answer was
 * lost. A clone without history knows the tip and its parents only.
 */
export async function withPushedBase(content: Content, store: ObjectStore | undefined, tip: string): Promise<Content> {
  if (!store || !content.pushed?.length) return content
  const pushes = new Map(content.pushed.map(state => [state.pushed, state]))
  const seen = new Set([tip])
  for (const oid of seen) {
    const base = pushes.get(oid)
    if (base) return { ...content, base, isSameBranch: true }
    // A set goes on with what is added while it is read.
    if (seen.size > most || !store.has(oid)) continue
    for (const parent of readCommit(oid, await store.read(oid, 'commit')).parents) seen.add(parent)
  }
  return content
}
