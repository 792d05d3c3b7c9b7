import type { ComputedSource } from './computed.ts'
import type { Warning } from './import-failure.ts'
import type { Place } from './summary.ts'

/** An entry of the tree, before the titles and settings of pages are read. `path` is an existing file, `place` the lines in SUMMARY.md. */
export type OutlineEntry = { place?: Place } & (
  | { kind: 'page'; title?: string; path: string; children: OutlineEntry[] }
  | { kind: 'text'; title: string; slug?: string; children: OutlineEntry[] }
  | { kind: 'group'; title: string; children: OutlineEntry[] }
  | { kind: 'link'; title: string; href: string }
  | { kind: 'computed'; title: string; computed: ComputedSource }
)

/** The page tree of a repository, in reading order. */
export interface Outline {
  entries: OutlineEntry[]
  warnings: Warning[]
}

/** Every page file of an outline, in reading order. */
export function pagesOf(entries: OutlineEntry[]): string[] {
  return entries.flatMap(entry => [
    ...(entry.kind === 'page' ? [entry.path] : []),
    ...('children' in entry ? pagesOf(entry.children) : []),
  ])
}

/** The number of entries of an outline. */
export function countEntries(entries: OutlineEntry[]): number {
  return entries.reduce((sum, entry) => sum + 1 + ('children' in entry ? countEntries(entry.children) : 0), 0)
}
