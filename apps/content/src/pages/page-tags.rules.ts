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

/** The tags of a revision: those of its pages, which are called what they are named. */
export function presentRevisionTags(pages: readonly Pick<PageRecord, 'tags'>[]) {
  return tagNames(pages).map(name => ({ slug: name, label: name, color: 'default' as const }))
}
