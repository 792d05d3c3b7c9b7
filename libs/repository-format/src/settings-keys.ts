/** Recto's own file in a repository, below the root of the content: settings that Markdown and SUMMARY.md have no place for. */
export const settingsFile = '.gitbook/recto.yaml'

/** The parts of that file: pages by their file, other entries of the page tree by their place, and files by their path. */
export const settingsSections = ['pages', 'entries', 'files'] as const

/** One of those parts. */
export type SettingsSection = (typeof settingsSections)[number]

/** An entry of a page tree, as far as its place is told by it. */
export interface PlacedEntry<Entry> {
  kind: 'page' | 'text' | 'group' | 'link' | 'computed'
  title?: string | undefined
  /** The file of a page. */
  path?: string | undefined
  children?: readonly Entry[] | undefined
}

/** Where the settings of an entry are in Recto's own file. */
export interface SettingsKey {
  section: SettingsSection
  key: string
}

/**
 * Where the settings of each entry of a tree are:
 *
 * | entry                                    | section   | key                                                                     |
 * | ---------------------------------------- | --------- | ----------------------------------------------------------------------- |
 * | a page with a file                       | `pages`   | its path below the root: `guide/setup.md`                               |
 * | any other, at the top                    | `entries` | its kind and title: `group: Guides`, `link: Status`, `text: Soon`       |
 * | any other, below others                  | `entries` | behind those above it, the nearest file first: `a.md > link: Status`    |
 * | a further one of the same kind and title | `entries` | with a number, by their sequence: `link: Status (2)`                    |
 */
export function settingsKeys<Entry extends PlacedEntry<Entry>>(
  entries: readonly Entry[],
  root: string,
): Map<Entry, SettingsKey> {
  const keys = new Map<Entry, SettingsKey>()
  const taken = new Map<string, number>()
  const visit = (siblings: readonly Entry[], above: string[]): void => {
    for (const entry of siblings) {
      const isPage = entry.kind === 'page' && entry.path !== undefined
      const key = isPage ? belowRoot(entry.path ?? '', root) : freeKey([...above, nameOf(entry)].join(' > '), taken)
      keys.set(entry, { section: isPage ? 'pages' : 'entries', key })
      visit(entry.children ?? [], [key])
    }
  }
  visit(entries, [])
  return keys
}

/** The key of a file in Recto's own file: its path below the root of the content. */
export function fileSettingsKey(path: string, root: string): SettingsKey {
  return { section: 'files', key: belowRoot(path, root) }
}

function nameOf({ kind, title = '' }: Pick<PlacedEntry<never>, 'kind' | 'title'>): string {
  return `${kind}: ${title.replace(/\s+/g, ' ').trim()}`
}

/** A key that no entry has; `taken` has the last number of each, so that ten thousand equal titles are counted once. */
function freeKey(preferredKey: string, taken: Map<string, number>): string {
  let key = preferredKey
  for (let count = taken.get(preferredKey) ?? 1; taken.has(key); taken.set(preferredKey, count)) {
    count += 1
    key = `${preferredKey} (${count})`
  }
  taken.set(key, 1)
  return key
}

function belowRoot(path: string, root: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
