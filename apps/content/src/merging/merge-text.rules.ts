import { mergeRegions } from '../documents/merge-regions.rules.ts'
import { mergedSide, type Side } from './three-way.ts'

/** Two texts merged by line. Both versions of lines in conflict stand between markers, as git writes them. */
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
  const lines = regions.flatMap(region => ('lines' in region ? region.lines : markConflict(region)))
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
  const commonEndings = all.find(({ endings }) => endings !== 'none')?.endings
  const isCrlf = pick(mapTexts(parts, ({ endings }) => (endings === 'none' ? commonEndings : endings) === 'crlf'))
  return { lines: mapTexts(parts, withoutCr), ending: isCrlf ? '\r\n' : '\n' }
}

function withoutCr({ endings, isEnded, lines }: Parts): string[] {
  if (endings !== 'crlf') return lines
  return lines.map((line, at) => (isEnded || at < lines.length - 1 ? line.slice(0, -1) : line))
}

function mapTexts<From, To>(texts: Record<'base' | Side, From>, make: (from: From) => To): Record<'base' | Side, To> {
  return { base: make(texts.base), main: make(texts.main), changeRequest: make(texts.changeRequest) }
}

/** The changed value: of two values, one is always unchanged, or both sides have the same. */
function pick(flags: Record<'base' | Side, boolean>): boolean {
  return flags[mergedSide(flags) ?? 'main']
}

type Lines = Record<'base' | Side, readonly string[]>
type MergedRegion = { lines: readonly string[] } | Lines

/** The regions of a text in their order: merged lines, or the three versions of lines in conflict. */
function mergeLines({ base, main, changeRequest }: Lines): MergedRegion[] {
  return mergeRegions(base, { main, changeRequest }, 'touching').map(region => {
    if ('lines' in region) return region
    const versions = { base: region.base, ...region.versions }
    // The number of lines distinguishes an empty line from none.
    const merged = mergedSide(mapTexts(versions, version => [version.length, ...version].join('\n')))
    return merged ? { lines: versions[merged] } : versions
  })
}

/** Lines in conflict without those at their ends that both sides have. */
function markConflict({ main, changeRequest }: Lines): string[] {
  const shorter = Math.min(main.length, changeRequest.length)
  let head = 0
  while (head < shorter && main[head] === changeRequest[head]) head += 1
  let tail = 0
  while (tail < shorter - head && main.at(-1 - tail) === changeRequest.at(-1 - tail)) tail += 1
  const inner = (lines: readonly string[]) => lines.slice(head, lines.length - tail)
  return [
    ...main.slice(0, head),
    '<<<<<<< main',
    ...inner(main),
    '=======',
    ...inner(changeRequest),
    '>>>>>>> change-request',
    ...main.slice(main.length - tail),
  ]
}
