import type { OutlineEntry } from '../format/outline.ts'
import { outlineOfSummary, type SummaryPlace } from '../format/summary-outline.ts'
import { readSummary } from '../format/summary.ts'
import { readsAs, itemsOf, type ContentsEntry, type KeyedEntry } from './contents.ts'
import { headingText, itemText } from './contents-line.ts'
import { editContents } from './edit-contents.ts'
import { flattened, keyedEntries, withEntriesOfRepository, type KnownTrees } from './keyed-entries.ts'

/** The table of contents of a repository, and what it should list. */
export interface ContentsChange extends KnownTrees {
  /** Absent where the repository has none. */
  text: string | undefined
  /** The entries of a repository without one. */
  folders: OutlineEntry[]
  /** The files of the repository before, and after the export. */
  place: SummaryPlace
  hasAfter(path: string): boolean
  /** Whether entries stay that only the repository has. */
  keepsUnknown: boolean
  /** The title of a page whose entry has none. */
  titleOf(path: string): string | undefined
  maxPages: number
}

/** The text of a table of contents that lists the entries of the content; the text itself when it does already. */
export function changedContents(change: ContentsChange): string {
  const { text = '', place, hasAfter, titleOf } = change
  const outline = outlineOfSummary(readSummary(text, place.path), place).entries
  const keyed = keyedEntries(outline, change)
  const wanted = withEntriesOfRepository(change.now, keyed, change)
  const readAs = (contents: string) =>
    readsAs(outlineOfSummary(readSummary(contents, place.path), { ...place, has: hasAfter }).entries, wanted, titleOf)
  // The line of a page whose file is deleted reads as nothing, but has to go.
  const isListed = new Set(flattened(wanted).map(({ key }) => key))
  const isStale = flattenedKeys(keyed).some(key => !isListed.has(key))
  if (change.text !== undefined && !isStale && readAs(text)) return text
  const edited =
    change.text === undefined ? undefined : editContents(text, { keyed, entries: wanted, summary: place.path })
  return edited !== undefined && readAs(edited) ? edited : newContents(wanted, { text, summary: place.path })
}

function flattenedKeys(entries: KeyedEntry[]): string[] {
  return entries.flatMap(({ key, children }) => [key, ...flattenedKeys(children)])
}

/** A table of contents written as a whole; the lines before the first entry of the old one stay. */
export function newContents(wanted: ContentsEntry[], { text, summary }: { text: string; summary: string }): string {
  const title = /^\ufeff?# .*/.exec(text)?.[0] ?? '# Table of contents'
  const lines = itemsOf(wanted).flatMap(({ level, entry }, at, items) => {
    if (level < 0) return ['', `## ${headingText(entry?.title ?? '')}`.trimEnd(), '']
    if (!entry) return []
    const [first = '', ...more] = itemText(entry, summary)
    const indent = '  '.repeat(level)
    const blank = at === 0 && items.length > 0 ? [''] : []
    return [...blank, `${indent}* ${first}`, ...more.map(line => `${indent}  ${line}`)]
  })
  const end = /\r\n/.test(text) ? '\r\n' : '\n'
  return `${[title, ...lines].join(end).trimEnd()}${end}`
}
