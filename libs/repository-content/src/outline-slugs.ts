import { slugOfFile, slugOfTitle, slugSet } from '@recto/repository-format'
import type { OutlineEntry } from './outline.ts'

type SluggedEntry = Exclude<OutlineEntry, { kind: 'link' | 'computed' }>

function isSlugged(entry: OutlineEntry): entry is SluggedEntry {
  return entry.kind !== 'link' && entry.kind !== 'computed'
}

/**
 * Assigns slugs to the pages and groups of an outline, unique among siblings: the slug in the repository, where the first of equal slugs
 * counts, else a slug of the file or title.
 */
export function outlineSlugs(
  entries: readonly OutlineEntry[],
  { root, ownSlug }: { root: string; ownSlug(entry: OutlineEntry): string | undefined },
): Map<OutlineEntry, string> {
  const slugs = new Map<OutlineEntry, string>()
  const visit = (siblings: readonly OutlineEntry[]): void => {
    const sluggedSiblings = siblings.filter(isSlugged)
    const own = new Map<string, SluggedEntry>()
    for (const entry of sluggedSiblings) {
      const slug = ownSlug(entry)
      if (slug !== undefined && !own.has(slug)) own.set(slug, entry)
    }
    for (const [slug, entry] of own) slugs.set(entry, slug)
    const free = slugSet(own.keys())
    for (const entry of sluggedSiblings) {
      if (!slugs.has(entry)) slugs.set(entry, free(usualSlug(entry, root)))
      visit(entry.children)
    }
  }
  visit(entries)
  return slugs
}

/** The slug of an entry by its file or title, without a number. */
export function usualSlug(entry: SluggedEntry, root: string): string {
  return entry.kind === 'page' ? slugOfFile(entry.path, root) : slugOfTitle(entry.title)
}
