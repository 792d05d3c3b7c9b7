import { slugOfFile, slugOfTitle, slugSet } from '@recto/repository-format'
import type { OutlineEntry } from './outline.ts'

type SluggedEntry = Exclude<OutlineEntry, { kind: 'link' | 'computed' }>

function isSlugged(entry: OutlineEntry): entry is SluggedEntry {
  return entry.kind !== 'link' && entry.kind !== 'computed'
}

/**
 * The slugs of an outline's pages and groups, each unique among its siblings: those that the repository says, of which the first of a
 * kind counts, and for the others those of their file or title.
 */
export function outlineSlugs(
  entries: readonly OutlineEntry[],
  { root, ownSlug }: { root: string; ownSlug(entry: OutlineEntry): string | undefined },
): Map<OutlineEntry, string> {
  const slugs = new Map<OutlineEntry, string>()
  const visit = (siblings: readonly OutlineEntry[]): void => {
    const slugged = siblings.filter(isSlugged)
    const own = new Map<string, SluggedEntry>()
    for (const entry of slugged) {
      const slug = ownSlug(entry)
      if (slug !== undefined && !own.has(slug)) own.set(slug, entry)
    }
    for (const [slug, entry] of own) slugs.set(entry, slug)
    const free = slugSet(own.keys())
    for (const entry of slugged) {
      if (!slugs.has(entry)) slugs.set(entry, free(usualSlug(entry, root)))
      visit(entry.children)
    }
  }
  visit(entries)
  return slugs
}

/** The slug of an entry that has no sibling of the same name. */
export function usualSlug(entry: SluggedEntry, root: string): string {
  return entry.kind === 'page' ? slugOfFile(entry.path, root) : slugOfTitle(entry.title)
}
