import type { OutlineEntry } from '@recto/repository-content'
import { childrenOf, plainTitle, type ContentsEntry, type KeyedEntry } from './contents.ts'

/** The trees in which the page of an entry is looked up: of the content, and of the last synchronisation. */
export interface KnownTrees {
  now: ContentsEntry[]
  base: ContentsEntry[]
}

/**
 * Gives each entry of a repository the key of its page, found by file, else by kind, title and sequence. An entry that no tree has gets a
 * key of its own.
 */
export function keyEntries(outline: OutlineEntry[], { now, base }: KnownTrees): KeyedEntry[] {
  const pages = new Map<string, string>()
  const others = new Map<string, string[]>()
  for (const entry of [...flattenEntries(now), ...flattenEntries(base)]) {
    if (entry.path !== undefined && !pages.has(entry.path)) pages.set(entry.path, entry.key)
  }
  for (const entry of [...flattenEntries(base), ...flattenEntries(now)]) {
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
    const entryKey = key ?? `?${unknown++}`
    used.add(entryKey)
    return entryKey
  }
  const addKeys = (entries: OutlineEntry[]): KeyedEntry[] =>
    entries.map(entry => ({ key: keyOf(entry), entry, children: addKeys(childrenOf(entry)) }))
  return addKeys(outline)
}

/** Identifies an entry without file. SUMMARY.md has no title for computed pages, so their specification identifies them. */
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
export function flattenEntries(entries: ContentsEntry[]): ContentsEntry[] {
  return entries.flatMap(entry => [entry, ...flattenEntries(entry.children)])
}

/**
 * Adds the entries that only the repository has to the tree of the content, after the entries that they follow in the repository. A page
 * whose file the content lacks, such as one in Git LFS, keeps the file of its entry.
 */
export function withEntriesOfRepository(
  now: ContentsEntry[],
  keyed: KeyedEntry[],
  { keepsUnknown }: { keepsUnknown: boolean },
): ContentsEntry[] {
  const root: ContentsEntry[] = now.map(copyEntry)
  const byKey = new Map(flattenEntries(root).map(entry => [entry.key, entry]))
  const visit = (entries: KeyedEntry[], above: ContentsEntry[]): void => {
    const before: string[] = []
    for (const { key, entry, children } of entries) {
      const own = byKey.get(key)
      if (own?.kind === 'text' && entry.kind === 'page') Object.assign(own, { kind: 'page', path: entry.path })
      if (!own && key.startsWith('?') && keepsUnknown) {
        const newEntry = unknownEntry(key, entry)
        const at = new Map(above.map((each, index) => [each.key, index + 1]))
        above.splice(at.get(before.findLast(each => at.has(each)) ?? '') ?? 0, 0, newEntry)
        byKey.set(key, newEntry)
      }
      before.push(key)
      visit(children, byKey.get(key)?.children ?? above)
    }
  }
  visit(keyed, root)
  return root
}

function copyEntry(entry: ContentsEntry): ContentsEntry {
  return { ...entry, children: entry.children.map(copyEntry) }
}

function unknownEntry(key: string, entry: OutlineEntry): ContentsEntry {
  return {
    key,
    kind: entry.kind,
    title: entry.title ?? '',
    keepsTitle: true,
    children: [],
    ...(entry.kind === 'page' && { path: entry.path }),
    ...(entry.kind === 'link' && { href: entry.href }),
    ...(entry.kind === 'computed' && { computed: entry.computed }),
  }
}
