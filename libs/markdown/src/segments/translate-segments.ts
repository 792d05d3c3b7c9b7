import { splitPage } from '../front-matter/split-page.ts'
import { normalizeText } from '../syntax/parse.ts'
import { withAnchors } from './keep-anchors.ts'
import { wordsOf } from './model.ts'
import { readSegments, type Segmented } from './read-segments.ts'
import { isReplyTo, readReply, textOfSegment } from './segment-text.ts'
import { structureOf, withTexts, wordsOfReply, type NewText } from './write-segments.ts'

/** The most compositions of one page that are tried when a translation changes its structure. */
const maxTries = 40

/** Why a translation of a segment is not used. */
export type SegmentFault = 'placeholders' | 'structure'

/** A page file with translated texts, and the segments that keep their source. */
export interface TranslatedPage {
  markdown: string
  faults: { index: number; fault: SegmentFault }[]
}

/** The texts of a page file that can be translated, as they are sent; undefined when the page is beyond the bounds of parsing. */
export function segmentTexts(markdown: string): string[] | undefined {
  const read = readSegments(splitPage(normalizeText(markdown)).body)
  return read?.segments.map(segment => textOfSegment(read.source, segment))
}

/** A page file as what stands between its texts, and its texts, in turns; lines of a page that is not parsed. */
export function segmentTokens(markdown: string): string[] {
  const { body, bodyOffset } = splitPage(markdown)
  const read = /\r/.test(body) ? undefined : readSegments(body)
  if (!read) return markdown.split(/(\n)/)
  const tokens: string[] = []
  let at = -bodyOffset
  for (const { start, end } of read.segments) {
    if (start < Math.max(at, 0)) continue
    tokens.push(markdown.slice(bodyOffset + at, bodyOffset + start), body.slice(start, end))
    at = end
  }
  return [...tokens, markdown.slice(bodyOffset + at)]
}

/**
 * Writes translations into a page file, by the order of `segmentTexts`; a segment without one keeps its source. All else stays byte for byte:
 * a translation that would change the structure of the page is escaped, and one that still does is left out. A heading that gets another
 * anchor by its translation says the one that it had.
 */
export function withTranslations(markdown: string, replies: readonly (string | undefined)[]): TranslatedPage {
  const { body, bodyOffset } = splitPage(markdown)
  const read = readSegments(normalizeText(body))
  const faults: TranslatedPage['faults'] = []
  if (!read) return { markdown, faults }
  const newTexts = new Map<number, NewText>()
  for (const [index, segment] of read.segments.entries()) {
    const translated = replies[index]
    if (translated === undefined) continue
    const reply = isReplyTo(textOfSegment(read.source, segment), translated) ? readReply(translated) : undefined
    if (reply) newTexts.set(index, { reply, isEscaped: false })
    else faults.push({ index, fault: 'placeholders' })
  }
  const { text, left } = compose(read, newTexts)
  faults.push(...left.map(index => ({ index, fault: 'structure' as const })))
  const mark = body.startsWith('\ufeff') ? '\ufeff' : ''
  return { markdown: markdown.slice(0, bodyOffset) + mark + inEndingsOf(body, withAnchors(read, text)), faults }
}

/** A body with the line endings of another one, where those are all the same. */
function inEndingsOf(sample: string, text: string): string {
  return /\r\n/.test(sample) && !/[^\r]\n|\r[^\n]/.test(sample) ? text.replace(/\n/g, '\r\n') : text
}

/** The body with those translations that do not change its structure, and the indexes of the others. */
function compose(read: Segmented, newTexts: Map<number, NewText>): { text: string; left: number[] } {
  const state = { tries: 0 }
  const texts = new Map(newTexts)
  for (let round = 0; round < 3; round += 1) {
    const text = withTexts(read, texts)
    const wrong = wrongSegments(read, { text, texts })
    if (wrong?.length === 0) return { text, left: missing(newTexts, texts) }
    // All texts are escaped, and which of them is wrong is not known: below, they are tried in halves.
    if (!wrong && [...texts.values()].every(({ isEscaped }) => isEscaped)) break
    for (const index of wrong ?? texts.keys()) escalate(texts, index)
  }
  const accepted = new Map<number, NewText>()
  acceptFitting([...newTexts], accepted)
  return { text: withTexts(read, accepted), left: missing(newTexts, accepted) }

  /** Adds what keeps the structure, halving what does not. */
  function acceptFitting(entries: [number, NewText][], into: Map<number, NewText>): void {
    if (entries.length === 0 || state.tries++ > maxTries) return
    const escaped = entries.map(([index, text]): [number, NewText] => [index, { ...text, isEscaped: true }])
    for (const candidates of [entries, escaped]) {
      const all = new Map([...into, ...candidates])
      if (wrongSegments(read, { text: withTexts(read, all), texts: all })?.length !== 0) continue
      for (const [index, text] of candidates) into.set(index, text)
      return
    }
    if (entries.length === 1) return
    const half = entries.length >> 1
    acceptFitting(entries.slice(0, half), into)
    acceptFitting(entries.slice(half), into)
  }
}

/** Escapes a text that is wrong as it is, and leaves out one that is wrong escaped. */
function escalate(texts: Map<number, NewText>, index: number): void {
  const text = texts.get(index)
  if (text && !text.isEscaped) texts.set(index, { ...text, isEscaped: true })
  else texts.delete(index)
}

function missing(newTexts: ReadonlyMap<number, NewText>, used: ReadonlyMap<number, NewText>): number[] {
  return [...newTexts.keys()].filter(index => !used.has(index))
}

/** The segments that a composed body does not have as they should be; undefined when it cannot be said which those are. */
function wrongSegments(
  read: Segmented,
  { text, texts }: { text: string; texts: ReadonlyMap<number, NewText> },
): number[] | undefined {
  const composed = readSegments(text)
  if (composed?.segments.length !== read.segments.length) return undefined
  const before = structureOf(read)
  const after = structureOf(composed)
  if (before.between.length !== after.between.length) return undefined
  if (before.between.some((part, at) => part !== after.between[at])) return undefined
  const outer = outerIndexes(read)
  const wrong = outer.filter((_index, at) => before.objects[at] !== after.objects[at])
  const changed = read.segments.flatMap((segment, index) => {
    const now = composed.segments[index]
    const newText = texts.get(index)
    const expected = newText ? wordsOfReply(newText, read.source, segment.pieces) : wordsOf(read.source, segment.pieces)
    return now && wordsOf(composed.source, now.pieces) === expected ? [] : [index]
  })
  return [...new Set([...wrong, ...changed])]
}

/** The indexes of segments that stand in no other one. */
function outerIndexes({ segments }: Segmented): number[] {
  let end = 0
  return segments.flatMap((segment, index) => {
    if (segment.start < end) return []
    end = segment.end
    return [index]
  })
}
