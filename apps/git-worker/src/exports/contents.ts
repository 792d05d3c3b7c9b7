import { isDeepStrictEqual } from 'node:util'
import type { OutlineEntry } from '../format/outline.ts'

/** An entry that the table of contents of a repository should have. */
export interface ContentsEntry {
  /** The id of the page, or one made up for an entry that only the repository has. */
  key: string
  kind: OutlineEntry['kind']
  title: string
  /** The title did not change since the last synchronisation: the one of the repository stays, whatever it is. */
  keepsTitle: boolean
  path?: string
  href?: string
  computed?: object
  children: ContentsEntry[]
}

/** One line of a table of contents: an entry at its level, -1 for the heading of a group. */
export interface ContentsItem {
  key: string
  level: number
  /** Absent for a heading without text, which ends a group. */
  entry?: ContentsEntry
}

/** An entry of a repository with the key of the page that it stands for. */
export interface KeyedEntry {
  key: string
  entry: OutlineEntry
  children: KeyedEntry[]
}

/** The lines of a tree in reading order. Entries at the top that follow a group need a heading without text before them. */
export function itemsOf(entries: ContentsEntry[]): ContentsItem[] {
  const items: ContentsItem[] = []
  let inGroup = false
  for (const entry of entries) {
    const isGroup = entry.kind === 'group'
    if (!isGroup && inGroup) items.push({ key: endOfGroup(entry.key), level: -1 })
    inGroup = isGroup
    addItems(items, entry, isGroup ? -1 : 0)
  }
  return items
}

/** The key of the heading without text before an entry. */
export function endOfGroup(key: string): string {
  return `^${key}`
}

function addItems(items: ContentsItem[], entry: ContentsEntry, level: number): void {
  items.push({ key: entry.key, level, entry })
  for (const child of entry.children) addItems(items, child, level + 1)
}

/** Whether two trees have the same entries at the same places. */
export function isSameContents(a: ContentsEntry[], b: ContentsEntry[]): boolean {
  return JSON.stringify(a.map(shapeOf)) === JSON.stringify(b.map(shapeOf))
}

function shapeOf({ kind, title, path, href, computed, children }: ContentsEntry): unknown[] {
  return [kind, plainTitle(title), path, href, computed, children.map(shapeOf)]
}

/** A title as Markdown shows it: white space is one space. */
export function plainTitle(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}

/** Whether an outline reads as the tree should; `titleOf` is the title of a page whose entry has none. */
export function readsAs(
  outline: OutlineEntry[],
  entries: ContentsEntry[],
  titleOf: (path: string) => string | undefined,
): boolean {
  if (outline.length !== entries.length) return false
  return entries.every((entry, at) => {
    const found = outline[at]
    if (found?.kind !== entry.kind) return false
    const isSame =
      (found.kind === 'page' ? found.path : undefined) === entry.path &&
      (found.kind === 'link' ? found.href : undefined) === entry.href &&
      (found.kind === 'computed' ? isDeepStrictEqual(found.computed, entry.computed) : true)
    return isSame && hasTitle(found, entry, titleOf) && readsAs(childrenOf(found), entry.children, titleOf)
  })
}

function hasTitle(found: OutlineEntry, entry: ContentsEntry, titleOf: (path: string) => string | undefined): boolean {
  if (entry.keepsTitle || found.kind === 'computed') return true
  const title = found.title ?? (found.kind === 'page' ? titleOf(found.path) : undefined)
  return title !== undefined && plainTitle(title) === plainTitle(entry.title)
}

/** The entries directly below one. */
export function childrenOf(entry: OutlineEntry): OutlineEntry[] {
  return 'children' in entry ? entry.children : []
}
