import { lineHunks, type Hunk } from '../../pages/line-hunks.rules.ts'
import { mergedSide, type Side } from './three-way.ts'

/** Two texts merged by line. In that of a conflict, both versions of the lines in conflict stand between markers, as git writes them. */
export interface MergedText {
  text: string
  isConflict: boolean
}

type Texts = Record<'base' | Side, string>

/**
 * Merges the changes of both sides to a text. Lines conflict when both sides changed them, or lines that touch, differently; as with
 * `git merge-file`. A byte order mark, the end of the last line, and line endings that are the same in a whole text are merged on their own,
 * so a side that only converts them conflicts with nothing.
 */
export function mergeText(texts: Texts): MergedText {
  const whole = mergedSide(texts)
  if (whole) return { text: texts[whole], isConflict: false }
  const parts = mapTexts(texts, partsOf)
  const { lines: versions, ending } = uniform(parts)
  const regions = mergeLines(versions)
  const lines = regions.flatMap(region => ('lines' in region ? region.lines : marked(region)))
  const end = lines.length > 0 && pick(mapTexts(parts, ({ isEnded }) => isEnded)) ? ending : ''
  const mark = pick(mapTexts(parts, ({ hasMark }) => hasMark)) ? byteOrderMark : ''
  return { text: mark + lines.join(ending) + end, isConflict: regions.some(region => !('lines' in region)) }
}

const byteOrderMark = '\uFEFF'

interface Parts {
  hasMark: boolean
  /** Whether the last line has an end. */
  isEnded: boolean
  endings: 'lf' | 'crlf' | 'mixed' | 'none'
  lines: string[]
}

function partsOf(text: string): Parts {
  const hasMark = text.startsWith(byteOrderMark)
  const content = hasMark ? text.slice(1) : text
  const isEnded = content.endsWith('\n')
  const lines = content === '' ? [] : content.split('\n')
  const ended = lines.slice(0, -1)
  if (isEnded) lines.pop()
  return { hasMark, isEnded, endings: endingsOf(ended), lines }
}

function endingsOf(ended: string[]): Parts['endings'] {
  if (ended.length === 0) return 'none'
  const count = ended.filter(line => line.endsWith('\r')).length
  if (count === 0) return 'lf'
  return count === ended.length ? 'crlf' : 'mixed'
}

/** The lines without their endings, and the merged ending; where a text mixes endings, each CR belongs to its line. */
function uniform(parts: Record<'base' | Side, Parts>): { lines: Lines; ending: string } {
  const all = [parts.base, parts.main, parts.changeRequest]
  if (all.some(({ endings }) => endings === 'mixed'))
    return { lines: mapTexts(parts, ({ lines }) => lines), ending: '\n' }
  const known = all.find(({ endings }) => endings !== 'none')?.endings
  const isCrlf = pick(mapTexts(parts, ({ endings }) => (endings === 'none' ? known : endings) === 'crlf'))
  return { lines: mapTexts(parts, withoutCr), ending: isCrlf ? '\r\n' : '\n' }
}

function withoutCr({ endings, isEnded, lines }: Parts): string[] {
  if (endings !== 'crlf') return lines
  return lines.map((line, at) => (isEnded || at < lines.length - 1 ? line.slice(0, -1) : line))
}

function mapTexts<From, To>(texts: Record<'base' | Side, From>, make: (from: From) => To): Record<'base' | Side, To> {
  return { base: make(texts.base), main: make(texts.main), changeRequest: make(texts.changeRequest) }
}

/** Of two values, one is always unchanged, or both sides have the same. */
function pick(flags: Record<'base' | Side, boolean>): boolean {
  return flags[mergedSide(flags) ?? 'main']
}

type Lines = Record<'base' | Side, string[]>
type Region = { lines: string[] } | Lines

/** The regions of a text in their order: merged lines, or the three versions of lines in conflict. */
function mergeLines(lines: Lines): Region[] {
  const hunks = (['main', 'changeRequest'] as const)
    .flatMap(side => lineHunks(lines.base, lines[side]).map(hunk => ({ ...hunk, side })))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const regions: Region[] = []
  let at = 0
  for (let index = 0; index < hunks.length;) {
    const group = touching(hunks, index)
    const { start, end } = span(group)
    regions.push({ lines: lines.base.slice(at, start) }, mergeGroup(group, { lines, start, end }))
    at = end
    index += group.length
  }
  return [...regions, { lines: lines.base.slice(at) }]
}

type SideHunk = Hunk & { side: Side }

/** The hunks from an index on that overlap or touch each other. */
function touching(hunks: SideHunk[], from: number): SideHunk[] {
  let end = hunks[from]?.end ?? 0
  let to = from + 1
  for (let next = hunks[to]; next && next.start <= end; next = hunks[to]) {
    end = Math.max(end, next.end)
    to += 1
  }
  return hunks.slice(from, to)
}

function span(hunks: Hunk[]): { start: number; end: number } {
  return { start: hunks[0]?.start ?? 0, end: hunks.reduce((end, hunk) => Math.max(end, hunk.end), 0) }
}

function mergeGroup(group: SideHunk[], { lines, start, end }: { lines: Lines; start: number; end: number }): Region {
  const versionOf = (side: Side) => {
    const own = group.filter(hunk => hunk.side === side)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return lines.base.slice(start, end)
    return lines[side].slice(first.newStart - (first.start - start), last.newEnd + (end - last.end))
  }
  const versions = {
    base: lines.base.slice(start, end),
    main: versionOf('main'),
    changeRequest: versionOf('changeRequest'),
  }
  // The number of lines distinguishes an empty line from none.
  const merged = mergedSide(mapTexts(versions, version => [version.length, ...version].join('\n')))
  return merged ? { lines: versions[merged] } : versions
}

/** Lines in conflict without those at their ends that both sides have. */
function marked({ main, changeRequest }: Lines): string[] {
  const shorter = Math.min(main.length, changeRequest.length)
  let head = 0
  while (head < shorter && main[head] === changeRequest[head]) head += 1
  let tail = 0
  while (tail < shorter - head && main.at(-1 - tail) === changeRequest.at(-1 - tail)) tail += 1
  const inner = (lines: string[]) => lines.slice(head, lines.length - tail)
  return [
    ...main.slice(0, head),
    ...['<<<<<<< main', ...inner(main), '=======', ...inner(changeRequest), '>>>>>>> change-request'],
    ...main.slice(main.length - tail),
  ]
}
