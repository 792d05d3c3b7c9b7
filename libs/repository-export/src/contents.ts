import { isDeepStrictEqual } from 'node:util'
import type { OutlineEntry } from '@recto/repository-content'

/** An entry that the table of contents of a repository should have. */
export interface ContentsEntry {
  /** The id of the page; `?` and a number for an entry that only the repository has. */
  key: string
  kind: OutlineEntry['kind']
  title: string
  /** The title did not change since the last synchronisation, so the title in the repository stays. */
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

/** Lists the lines of a tree in reading order. A top-level entry after a group needs a heading without text before it. */
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

/** Collapses the white space of a title to single spaces, as Markdown renders it. */
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
    const current = outline[at]
    if (current?.kind !== entry.kind) return false
    const isSame =
      (current.kind === 'page' ? current.path : undefined) === entry.path &&
      (current.kind === 'link' ? current.href : undefined) === entry.href &&
      (current.kind === 'computed' ? isDeepStrictEqual(current.computed, entry.computed) : true)
    return isSame && hasTitle(current, entry, titleOf) && readsAs(childrenOf(current), entry.children, titleOf)
  })
}

function hasTitle(current: OutlineEntry, entry: ContentsEntry, titleOf: (path: string) => string | undefined): boolean {
  if (entry.keepsTitle || current.kind === 'computed') return true
  const title = current.title ?? (current.kind === 'page' ? titleOf(current.path) : undefined)
  return title !== undefined && plainTitle(title) === plainTitle(entry.title)
}

/** The direct children of an entry. */
export function childrenOf(entry: OutlineEntry): OutlineEntry[] {
  return 'children' in entry ? entry.children : []
}
