import { longestIncreasingSubsequence } from '@recto/text'
import type { OutlineEntry } from '@recto/repository-content'
import { endOfGroup, type ContentsItem, type KeyedEntry } from './contents.ts'
import type { TextLine } from './text-lines.ts'

/** An item of a table of contents as the repository has it, with its lines by number, counted from 1. */
export interface CurrentItem {
  key: string
  level: number
  /** Absent for the end of a group, which has no lines of its own: its heading without text belongs to the gap before it. */
  entry?: OutlineEntry
  first: number
  last: number
  /** The last line before the next item; lines after `last` belong to no item. */
  gapEnd: number
}

/** A table of contents as the repository has it. */
export interface CurrentContents {
  lines: TextLine[]
  items: CurrentItem[]
}

/** One step of an edit: an item stays, is inserted (with `current` if it moves), or is dropped. */
export type EditStep =
  | { kind: 'keep'; item: ContentsItem; current: CurrentItem }
  | { kind: 'insert'; item: ContentsItem; current: CurrentItem | undefined }
  | { kind: 'drop'; current: CurrentItem }

/** The items of a table of contents in the order of their lines. */
export function currentItems(entries: KeyedEntry[]): CurrentItem[] {
  const items: Omit<CurrentItem, 'gapEnd'>[] = []
  const add = ({ key, entry, children }: KeyedEntry, level: number): void => {
    const { line, end } = entry.place ?? { line: 0, end: 0 }
    items.push({ key, level, entry, first: line, last: end })
    for (const child of children) add(child, level + 1)
  }
  let inGroup = false
  for (const keyed of entries) {
    const isGroup = keyed.entry.kind === 'group'
    const line = keyed.entry.place?.line ?? 0
    if (!isGroup && inGroup) items.push({ key: endOfGroup(keyed.key), level: -1, first: line, last: line - 1 })
    inGroup = isGroup
    add(keyed, isGroup ? -1 : 0)
  }
  return items.map((item, at) => {
    const gapEnd = (items[at + 1]?.first ?? Infinity) - 1
    // A paragraph after a nested list would also belong to the entry above it.
    return { ...item, last: Math.min(item.last, gapEnd), gapEnd }
  })
}

/** Computes the steps from the current items to the new ones, in the order of the edited text. As many items as possible stay. */
export function alignItems(current: CurrentItem[], items: ContentsItem[]): EditStep[] {
  const places = new Map(current.map(({ key }, place) => [key, place]))
  const staying = new Set(longestIncreasingSubsequence(items.map(({ key }) => places.get(key))))
  const steps: EditStep[] = []
  let next = 0
  const dropUntil = (end: number): void => {
    steps.push(...current.slice(next, end).map(item => ({ kind: 'drop' as const, current: item })))
  }
  for (const [at, item] of items.entries()) {
    const place = places.get(item.key) ?? -1
    const currentItem = current[place]
    if (!currentItem || !staying.has(at)) {
      steps.push({ kind: 'insert', item, current: currentItem })
      continue
    }
    dropUntil(place)
    steps.push({ kind: 'keep', item, current: currentItem })
    next = place + 1
  }
  dropUntil(current.length)
  return steps
}
