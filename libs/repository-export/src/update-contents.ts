import { type OutlineEntry, outlineOfSummary, type SummaryPlace, readSummary } from '@recto/repository-content'
import { readsAs, itemsOf, type ContentsEntry, type KeyedEntry } from './contents.ts'
import { headingText, itemText } from './contents-line.ts'
import { editContents } from './edit-contents.ts'
import { flattenEntries, keyEntries, withEntriesOfRepository, type KnownTrees } from './keyed-entries.ts'

/** The table of contents of a repository, and the entries that it should list. */
export interface ContentsChange extends KnownTrees {
  /** Absent where the repository has none. */
  text: string | undefined
  /** The entries of a repository without one. */
  folders: OutlineEntry[]
  /** The files of the repository before, and after the export. */
  place: SummaryPlace
  hasAfter(path: string): boolean
  /** Whether entries that only the repository has stay. */
  keepsUnknown: boolean
  /** The title of a page whose entry has none. */
  titleOf(path: string): string | undefined
  maxPages: number
}

/** Updates the text of a table of contents so that it lists the entries of the content. A text that already does stays as it is. */
export function updateContents(change: ContentsChange): string {
  const { text = '', place, hasAfter, titleOf } = change
  const outline = outlineOfSummary(readSummary(text, place.path), place).entries
  const keyed = keyEntries(outline, change)
  const entries = withEntriesOfRepository(change.now, keyed, change)
  const readAs = (contents: string) =>
    readsAs(outlineOfSummary(readSummary(contents, place.path), { ...place, has: hasAfter }).entries, entries, titleOf)
  // The line of a page whose file is deleted gives no entry, but must be removed.
  const isListed = new Set(flattenEntries(entries).map(({ key }) => key))
  const isStale = keysOf(keyed).some(key => !isListed.has(key))
  if (change.text !== undefined && !isStale && readAs(text)) return text
  const editedText = change.text === undefined ? undefined : editContents(text, { keyed, entries, summary: place.path })
  return editedText !== undefined && readAs(editedText)
    ? editedText
    : writeContents(entries, { text, summary: place.path })
}

function keysOf(entries: KeyedEntry[]): string[] {
  return entries.flatMap(({ key, children }) => [key, ...keysOf(children)])
}

/** Writes a whole table of contents; its title is that of the old text. */
function writeContents(entries: ContentsEntry[], { text, summary }: { text: string; summary: string }): string {
  const title = /^\ufeff?# .*/.exec(text)?.[0] ?? '# Table of contents'
  const lines = itemsOf(entries).flatMap(({ level, entry }, at, items) => {
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
