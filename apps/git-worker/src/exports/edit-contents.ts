import type { OutlineEntry } from '../format/outline.ts'
import { endOfGroup, itemsOf, plainTitle, type ContentsEntry, type ContentsItem, type KeyedEntry } from './contents.ts'
import { headingText, itemText, retitled } from './contents-line.ts'
import { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts'
import { linesOf, LineWriter, type TextLine } from './text-lines.ts'

/** A line of the table of contents as it is: its entry, and the lines that are its own; none for an end of a group. */
interface OldItem {
  key: string
  level: number
  entry?: OutlineEntry
  first: number
  last: number
}

/** How items of a level are written: the white space before the marker, and the marker with the white space behind it. */
interface Style {
  indent: string
  marker: string
}

const markerOf = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)/

/** Edits a table of contents so that it lists these entries. Lines whose entries stay where they are stay byte for byte. */
export function editContents(
  text: string,
  { keyed, wanted, summary }: { keyed: KeyedEntry[]; wanted: ContentsEntry[]; summary: string },
): string {
  const isMarked = text.startsWith('\ufeff')
  const lines = linesOf(isMarked ? text.slice(1) : text)
  const edited = new Editor(lines, { old: oldItems(keyed), summary }).write(itemsOf(wanted))
  return isMarked ? `\ufeff${edited}` : edited
}

function oldItems(keyed: KeyedEntry[]): OldItem[] {
  const items: OldItem[] = []
  const add = ({ key, entry, children }: KeyedEntry, level: number): void => {
    const { line, end } = entry.place ?? { line: 0, end: 0 }
    items.push({ key, level, entry, first: line, last: end })
    for (const child of children) add(child, level + 1)
  }
  let inGroup = false
  for (const each of keyed) {
    const isGroup = each.entry.kind === 'group'
    const line = each.entry.place?.line ?? 0
    if (!isGroup && inGroup) items.push({ key: endOfGroup(each.key), level: -1, first: line, last: line - 1 })
    inGroup = isGroup
    add(each, isGroup ? -1 : 0)
  }
  // A paragraph behind a nested list would count to the entry above it, too.
  items.forEach((item, at) => (item.last = Math.min(item.last, (items[at + 1]?.first ?? Infinity) - 1)))
  return items
}

class Editor {
  readonly #lines: TextLine[]
  readonly #old: OldItem[]
  readonly #summary: string
  readonly #out: LineWriter
  readonly #styles: (Style | undefined)[] = []
  readonly #firstStyles = new Map<number, Style>()
  /** Lines behind the last written item that are of no item. */
  #pending: TextLine[]
  #isAdded = false

  constructor(lines: TextLine[], { old, summary }: { old: OldItem[]; summary: string }) {
    this.#lines = lines
    this.#old = old
    this.#summary = summary
    this.#out = new LineWriter(lines)
    this.#pending = this.#slice(1, (old[0]?.first ?? Infinity) - 1)
    for (const item of old) {
      const style = this.#styleAt(item)
      if (style && !this.#firstStyles.has(item.level)) this.#firstStyles.set(item.level, style)
    }
  }

  write(items: ContentsItem[]): string {
    const places = new Map(this.#old.map(({ key }, at) => [key, at]))
    const kept = longestIncreasingSubsequence(items.map(({ key }) => places.get(key)))
    let next = 0
    for (const [at, item] of items.entries()) {
      const place = kept[at]
      if (place === undefined) {
        const from = places.get(item.key)
        this.#insert(item, from === undefined ? undefined : this.#old[from])
        continue
      }
      this.#flush()
      for (; next < place; next++) this.#dropItem(next)
      this.#keep(item, place)
      next = place + 1
    }
    this.#flush()
    for (; next < this.#old.length; next++) this.#dropItem(next)
    return this.#out.toString()
  }

  #keep(item: ContentsItem, place: number): void {
    const old = this.#old[place]
    if (!old) return
    if (this.#isAdded && item.level < 0 && old.first <= old.last) this.#out.addBlank()
    this.#isAdded = false
    if (old.level === item.level && old.entry && item.entry && isUnchanged(old.entry, item.entry))
      this.#out.keep(this.#ownLines(old))
    else this.#rewrite(item, old)
    this.#styles.length = Math.max(0, item.level) + (item.level < 0 ? 0 : 1)
    const style = this.#styleAt(old)
    if (item.level >= 0 && style && old.level === item.level) this.#styles[item.level] = style
    this.#pending = this.#gapAfter(place)
  }

  /** Leaves an entry out; what stands behind it stays, without a second empty line. */
  #dropItem(at: number): void {
    const gap = this.#gapAfter(at)
    while (gap[0] && gap[0].text.trim() === '' && this.#out.endsWithBlank()) gap.shift()
    this.#out.keep(gap)
  }

  #insert(item: ContentsItem, from: OldItem | undefined): void {
    if (item.level < 0) {
      this.#flush()
      this.#out.addBlank()
    } else if (this.#isAfterHeading) {
      this.#flushBlank()
      this.#out.addBlank()
    } else if (this.#isAtStart) this.#flush()
    this.#rewrite(item, from)
    this.#isAdded = true
  }

  /** Writes an item anew, from its own lines where it has some. */
  #rewrite(item: ContentsItem, from: OldItem | undefined): void {
    if (item.level < 0) return this.#rewriteHeading(item, from)
    if (!item.entry) return
    const style = this.#styleFor(item.level)
    this.#styles.length = item.level
    this.#styles[item.level] = style
    const { indent, marker } = style
    const own = from && this.#movedLines(from, item.entry)
    const [first = '', ...more] = own ?? itemText(item.entry, this.#summary)
    this.#out.add(indent + marker + first)
    for (const line of more) this.#out.add(line === '' ? '' : indent + ' '.repeat(marker.length) + line)
    this.#isAfterHeading = false
    this.#isAtStart = false
  }

  #rewriteHeading({ entry }: ContentsItem, from: OldItem | undefined): void {
    if (!entry && from) return
    const own = from?.entry?.kind === 'group' && from.first === from.last ? this.#ownLines(from)[0]?.text : undefined
    const marks = own === undefined ? undefined : /^ {0,3}#{1,6}[ \t]+/.exec(own)?.[0]
    const isSame = own !== undefined && from?.entry && entry && isUnchanged(from.entry, entry)
    this.#out.add(isSame ? own : `${marks ?? '##'}${marks ? '' : ' '}${headingText(entry?.title ?? '')}`.trimEnd())
    this.#styles.length = 0
    this.#isAfterHeading = true
    this.#isAtStart = false
  }

  /** The lines of an entry without indentation and marker, with its new title; undefined when they have to be written anew. */
  #movedLines(from: OldItem, entry: ContentsEntry): string[] | undefined {
    const { kind } = from.entry ?? {}
    if (kind !== entry.kind || (from.entry?.kind === 'page' && from.entry.path !== entry.path)) return undefined
    if (from.entry?.kind === 'link' && from.entry.href !== entry.href) return undefined
    const [first, ...more] = this.#ownLines(from).map(({ text }) => text)
    const marker = markerOf.exec(first ?? '')
    if (first === undefined || !marker) return undefined
    const offset = marker[0].length
    const rest = more.map(line => line.replace(new RegExp(`^[ \\t]{0,${offset}}`), ''))
    const text = first.slice(offset)
    if (from.entry && isUnchanged(from.entry, entry)) return [text, ...rest]
    if (kind !== 'page' && kind !== 'link') return undefined
    const titled = retitled(text, entry.title)
    return titled === undefined ? undefined : [titled, ...rest]
  }

  #styleFor(level: number): Style {
    const known = this.#styles[level] ?? this.#firstStyles.get(level)
    const above = level > 0 ? this.#styles[level - 1] : undefined
    if (known && (!above || known.indent.length >= above.indent.length + 2)) return known
    const marker = known?.marker ?? above?.marker ?? this.#firstStyles.get(0)?.marker ?? '* '
    return { indent: above ? above.indent + ' '.repeat(Math.max(2, above.marker.length)) : '', marker }
  }

  #styleAt(item: OldItem): Style | undefined {
    const [, indent = '', marker] = markerOf.exec(this.#lines[item.first - 1]?.text ?? '') ?? []
    return marker === undefined ? undefined : { indent, marker }
  }

  #isAfterHeading = false
  #isAtStart = true

  #ownLines({ first, last }: OldItem): TextLine[] {
    return this.#slice(first, last)
  }

  #gapAfter(place: number): TextLine[] {
    const old = this.#old[place]
    if (old) this.#isAfterHeading = old.level < 0
    this.#isAtStart = false
    return old ? this.#slice(old.last + 1, (this.#old[place + 1]?.first ?? Infinity) - 1) : []
  }

  #flush(): void {
    this.#out.keep(this.#pending)
    this.#pending = []
  }

  #flushBlank(): void {
    const end = this.#pending.findIndex(({ text }) => text.trim() !== '')
    this.#out.keep(this.#pending.splice(0, end < 0 ? this.#pending.length : end))
  }

  #slice(first: number, last: number): TextLine[] {
    return this.#lines.slice(first - 1, last)
  }
}

/** Whether an entry reads as it should. */
function isUnchanged(old: OutlineEntry, wanted: ContentsEntry): boolean {
  if (old.kind !== wanted.kind) return false
  if (old.kind === 'page' && old.path !== wanted.path) return false
  if (old.kind === 'link' && old.href !== wanted.href) return false
  if (wanted.keepsTitle || old.kind === 'computed') return true
  return plainTitle(old.title ?? '') === plainTitle(wanted.title)
}
