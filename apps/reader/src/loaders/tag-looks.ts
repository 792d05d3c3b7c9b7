import type { Revision } from '../api/types.ts'
import type { TagLook } from '../blocks/index.ts'

/** How the tags of a revision look, by their slugs. */
export type TagLooks = Readonly<Record<string, TagLook>>

const looksByRevision = new WeakMap<object, TagLooks>()

/** How the tags of a revision look, made once for each; content of the version before sends none. */
export function tagLooks(revision: Partial<Pick<Revision, 'tags'>>): TagLooks {
  const existing = looksByRevision.get(revision)
  if (existing) return existing
  const looks = Object.fromEntries((revision.tags ?? []).map(({ slug, ...look }) => [slug, look]))
  looksByRevision.set(revision, looks)
  return looks
}

/** How a tag looks; one that the revision does not have is called what it is named. */
export function lookOf(slug: string, revision: Partial<Pick<Revision, 'tags'>>): TagLook {
  const looks = tagLooks(revision)
  return (Object.hasOwn(looks, slug) ? looks[slug] : undefined) ?? { label: slug }
}
