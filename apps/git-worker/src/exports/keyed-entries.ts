import type { OutlineEntry } from '../format/outline.ts'
import { childrenOf, plainTitle, type ContentsEntry, type KeyedEntry } from './contents.ts'

/** The trees in which the page of an entry is looked up: that of the content, and that of the last synchronisation. */
export interface KnownTrees {
  now: ContentsEntry[]
  base: ContentsEntry[]
}

/** Finds the page of each entry of a repository: by its file, else by kind, title and sequence; one that no tree has gets a key of its own. */
export function keyedEntries(outline: OutlineEntry[], { now, base }: KnownTrees): KeyedEntry[] {
  const pages = new Map<string, string>()
  const others = new Map<string, string[]>()
  for (const entry of [...flattened(now), ...flattened(base)]) {
    if (entry.path !== undefined && !pages.has(entry.path)) pages.set(entry.path, entry.key)
  }
  for (const entry of [...flattened(base), ...flattened(now)]) {
    if (entry.path !== undefined) continue
    const signature = signatureOf(entry.kind, entry)
    others.set(signature, [...(others.get(signature) ?? []), entry.key])
  }
  const used = new Set<string>()
  let unknown = 0
  const take = (key: string | undefined) => (key === undefined || used.has(key) ? undefined : key)
  const keyOf = (entry: OutlineEntry): string => {
    const alike = others.get(signatureOf(entry.kind === 'page' ? 'text' : entry.kind, entry))
    const key =
      take(entry.kind === 'page' ? pages.get(entry.path) : undefined) ?? alike?.find(each => take(each) !== undefined)
    const found = key ?? `?${unknown++}`
    used.add(found)
    return found
  }
  const keyed = (entries: OutlineEntry[]): KeyedEntry[] =>
    entries.map(entry => ({ key: keyOf(entry), entry, children: keyed(childrenOf(entry)) }))
  return keyed(outline)
}

/** How an entry without file is known. SUMMARY.md has no title of computed pages: they are known by what they are computed from. */
function signatureOf(
  kind: string,
  { title, href, computed }: { title?: string | undefined; href?: string; computed?: object },
): string {
  const name = kind === 'computed' ? specificationOf(computed) : undefined
  return JSON.stringify([kind, plainTitle(name ?? title ?? ''), href])
}

function specificationOf(computed: object | undefined): string | undefined {
  const { dependencies } = (computed ?? {}) as { dependencies?: { spec?: { ref?: { spec?: string } } } }
  return dependencies?.spec?.ref?.spec
}

/** All entries of a tree, parents first. */
export function flattened(entries: ContentsEntry[]): ContentsEntry[] {
  return entries.flatMap(entry => [entry, ...flattened(entry.children)])
}

/**
 * The tree that a repository should have: that of the content, with the entries that only the repository has after the entries that they
 * follow there. A page whose file the content lacks, such as one kept in Git LFS, keeps the file that its entry names.
 */
export function withEntriesOfRepository(
  now: ContentsEntry[],
  keyed: KeyedEntry[],
  { keepsUnknown }: { keepsUnknown: boolean },
): ContentsEntry[] {
  const root: ContentsEntry[] = now.map(copied)
  const byKey = new Map(flattened(root).map(entry => [entry.key, entry]))
  const visit = (entries: KeyedEntry[], above: ContentsEntry[]): void => {
    const before: string[] = []
    for (const { key, entry, children } of entries) {
      const own = byKey.get(key)
      if (own?.kind === 'text' && entry.kind === 'page') Object.assign(own, { kind: 'page', path: entry.path })
      if (!own && key.startsWith('?') && keepsUnknown) {
        const added = unknownEntry(key, entry)
        const at = new Map(above.map((each, index) => [each.key, index + 1]))
        above.splice(at.get(before.findLast(each => at.has(each)) ?? '') ?? 0, 0, added)
        byKey.set(key, added)
      }
      before.push(key)
      visit(children, byKey.get(key)?.children ?? above)
    }
  }
  visit(keyed, root)
  return root
}

function copied(entry: ContentsEntry): ContentsEntry {
  return { ...entry, children: entry.children.map(copied) }
}

function unknownEntry(key: string, entry: OutlineEntry): ContentsEntry {
  return {
    ...{ key, kind: entry.kind, title: entry.title ?? '', keepsTitle: true, children: [] },
    ...(entry.kind === 'page' && { path: entry.path }),
    ...(entry.kind === 'link' && { href: entry.href }),
    ...(entry.kind === 'computed' && { computed: entry.computed }),
  }
}
