import type { SpaceTag } from '@recto/markdown'
import type { PageRecord } from '../revisions/records.ts'

/** The tags of a page as the API shows them: its front matter names them. */
export function presentTags({ tags = [] }: Pick<PageRecord, 'tags'>) {
  return tags.map(({ tag, primary }) => ({
    tag: { kind: 'tag' as const, tag },
    ...(primary !== undefined && { primary }),
  }))
}

/** The names of the tags that pages have, each once, by name. */
export function tagNames(pages: readonly Pick<PageRecord, 'tags'>[]): string[] {
  return [...new Set(pages.flatMap(({ tags = [] }) => tags.map(({ tag }) => tag)))].sort()
}

/** The tags of a revision: those that its repository describes, then others that its pages have, which are called what they are named. */
export function presentRevisionTags(described: readonly SpaceTag[], names: readonly string[]): SpaceTag[] {
  const slugs = new Set(described.map(({ slug }) => slug))
  const others = names.filter(name => !slugs.has(name))
  return [...described, ...others.map(name => ({ slug: name, label: name, color: 'default' as const }))]
}

/** The labels of described tags, by their slugs. */
export function tagLabels(described: readonly SpaceTag[] = []): ReadonlyMap<string, string> {
  return new Map(described.map(({ slug, label }) => [slug, label]))
}

/** The labels of the tags that a page shows below its title. */
export function labelsOfPage(
  { tags = [], layout }: Pick<PageRecord, 'tags' | 'layout'>,
  labels: ReadonlyMap<string, string>,
): string[] {
  return layout?.tags === false ? [] : tags.map(({ tag }) => labels.get(tag) ?? tag)
}
