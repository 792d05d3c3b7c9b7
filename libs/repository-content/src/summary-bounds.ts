import { ImportFailure } from './import-failure.ts'
import { bounds } from './limits.ts'

/** Characters of one paragraph, which holds the title and target of an entry. */
const maxParagraphLength = 8_192
/** Marks of emphasis in one paragraph. */
const maxEmphasisMarks = 200

const marker = /(?:[-*+]|\d{1,9}[.)])(?=[ \t\r]|$)|>/y
const rule = /^[ \t]*([-*])(?:[ \t]*\1)+[ \t\r]*$/

/** Throws `too_large` for a table of contents that would exceed the parser's time or stack, as the starts of its lines show. */
export function checkSummary(text: string, { path, maxPages }: { path: string; maxPages: number }): void {
  const refuse = (message: string, line: number) =>
    new ImportFailure('too_large', `${path}, line ${line}: ${message}`, { path })
  const nesting = new Nesting()
  let entries = 0
  for (const [at, line] of text.split('\n').entries()) {
    const markers = markersOf(line)
    if (nesting.depthAfter(markers) > bounds.depth)
      throw refuse(`the entries are nested more than ${bounds.depth} levels deep`, at + 1)
    if (markers.columns.length > 0 && ++entries > maxPages)
      throw refuse(`there are more entries than the limit of ${maxPages} pages`, at + 1)
  }
  for (const { line, length } of blocksOf(text))
    if (length > maxParagraphLength) throw refuse(`a paragraph is longer than ${maxParagraphLength} characters`, line)
}

/** Whether a paragraph has so many emphasis marks that parsing takes quadratic time. */
export function hasTooMuchEmphasis(text: string): boolean {
  for (const { marks } of blocksOf(text)) if (marks > maxEmphasisMarks) return true
  return false
}

interface Markers {
  columns: number[]
  isQuoted: boolean
}

/** Reads the markers at the start of a line, at most one more than the limit. */
function markersOf(line: string): Markers {
  const markers: Markers = { columns: [], isQuoted: false }
  if (rule.test(line)) return markers
  let column = 0
  for (let at = 0; at < line.length && markers.columns.length <= bounds.depth;) {
    const blank = line[at] === '\t' ? 4 - (column % 4) : line[at] === ' ' ? 1 : 0
    marker.lastIndex = at
    const length = blank > 0 ? 0 : (marker.exec(line)?.[0].length ?? 0)
    if (blank + length === 0) break
    if (length > 0) markers.columns.push(column)
    if (line[at] === '>') markers.isQuoted = true
    at += length || 1
    column += blank + length
  }
  return markers
}

/** Counts at least as many levels as the parser will make. */
class Nesting {
  #open: number[] = []

  depthAfter({ columns, isQuoted }: Markers): number {
    for (const column of columns) this.#open = [...this.#open.filter(open => open < column), column]
    // Quotes repeat their markers on each line, so below them only the indentation counts.
    return isQuoted
      ? Math.max(this.#open.length, columns.length + Math.floor((columns.at(-1) ?? 0) / 2))
      : this.#open.length
  }
}

interface Block {
  line: number
  length: number
  marks: number
}

/** Splits a text into blocks: lines between blank lines, and from a marker on. */
function* blocksOf(text: string): Generator<Block> {
  let block: Block = { line: 1, length: 0, marks: 0 }
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*$/.test(line) || markersOf(line).columns.length > 0) {
      yield block
      block = { line: at + 1, length: 0, marks: 0 }
    }
    block.length += line.length
    block.marks += line.match(/[*_]/g)?.length ?? 0
  }
  yield block
}
