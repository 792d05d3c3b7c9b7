import { alignItems, currentItems } from './align-contents.ts'
import { itemsOf, type ContentsEntry, type KeyedEntry } from './contents.ts'
import { renderSteps } from './render-contents.ts'
import { spliceLines } from './splice-contents.ts'
import { linesOf } from './text-lines.ts'

/** Edits a table of contents so that it lists these entries. Lines whose entries stay where they are stay byte for byte. */
export function editContents(
  text: string,
  { keyed, entries, summary }: { keyed: KeyedEntry[]; entries: ContentsEntry[]; summary: string },
): string {
  const hasByteOrderMark = text.startsWith('\ufeff')
  const contents = { lines: linesOf(hasByteOrderMark ? text.slice(1) : text), items: currentItems(keyed) }
  const steps = alignItems(contents.items, itemsOf(entries))
  const editedText = spliceLines(contents, renderSteps(contents, steps, summary))
  return hasByteOrderMark ? `\ufeff${editedText}` : editedText
}
