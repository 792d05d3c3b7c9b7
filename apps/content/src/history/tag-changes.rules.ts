import type { SpaceTag } from '@recto/markdown'
import { type Changed, changedAttributes } from './changed-attributes.ts'

type ChangedTag = Pick<SpaceTag, 'slug' | 'label'>
type TagAttributes = Partial<Record<'label' | 'color' | 'emoji' | 'icon', Changed<string>>>

/** A tag that is created, deleted or edited between two revisions. */
export type TagChange =
  | { type: 'tag_created' | 'tag_deleted'; tag: ChangedTag }
  | { type: 'tag_edited'; tag: ChangedTag; attributes: TagAttributes }

/** Lists the changes of described tags: in the order of the newer revision, then those that it lacks. */
export function tagChanges({
  before,
  after,
}: {
  before: readonly SpaceTag[]
  after: readonly SpaceTag[]
}): TagChange[] {
  const old = new Map(before.map(tag => [tag.slug, tag]))
  const slugs = new Set(after.map(({ slug }) => slug))
  const changes = after.flatMap((tag): TagChange[] => {
    const oldTag = old.get(tag.slug)
    if (!oldTag) return [{ type: 'tag_created', tag: nameOf(tag) }]
    const attributes = changedAttributes(fieldsOf(oldTag), fieldsOf(tag)) as TagAttributes
    return Object.keys(attributes).length > 0 ? [{ type: 'tag_edited', tag: nameOf(tag), attributes }] : []
  })
  const deleted = before.filter(({ slug }) => !slugs.has(slug))
  return [...changes, ...deleted.map(tag => ({ type: 'tag_deleted' as const, tag: nameOf(tag) }))]
}

function nameOf({ slug, label }: SpaceTag): ChangedTag {
  return { slug, label }
}

function fieldsOf({ label, color, emoji, icon }: SpaceTag) {
  return { label, color, emoji, icon }
}
