import type { Revision } from '../api/types.ts'
import type { TagLooks } from '../blocks/index.ts'

const looksByRevision = new WeakMap<object, TagLooks>()

/** How the tags of a revision look, made once for each; content of the version before sends none. */
export function tagLooks(revision: Partial<Pick<Revision, 'tags'>>): TagLooks {
  const existing = looksByRevision.get(revision)
  if (existing) return existing
  const looks = Object.fromEntries((revision.tags ?? []).map(({ slug, ...look }) => [slug, look]))
  looksByRevision.set(revision, looks)
  return looks
}
