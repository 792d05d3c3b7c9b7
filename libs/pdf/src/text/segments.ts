/** A part of a text that is not divided between lines. */
export interface Segment {
  text: string
  /** White space, at which a line may end and which is not drawn there. */
  isSpace: boolean
  /** Whether a line may not begin with it. */
  isGlued: boolean
}

const dense =
  /[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u
const withoutSpaces = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
/** May not begin a line, and may not end one. */
const closing =
  /^[、。，．・：；？！゛゜ヽヾゝゞ々ー’”）〕］｝〉》」』】°′″℃¢％‰ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ.,:;?!)\]}]$/u
const opening = /^[‘“（〔［｛〈《「『【([{]$/u
const words = new Intl.Segmenter('th', { granularity: 'word' })
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Divides text where a line may end: at spaces, between characters of Chinese, Japanese and Korean, and between words of Thai and the like. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = []
  for (const part of text.split(/([ \t\u3000]+|\u200b)/)) {
    if (part === '') continue
    if (part === '\u200b') segments.push({ text: '', isSpace: true, isGlued: false })
    else if (/^[ \t\u3000]/.test(part)) segments.push({ text: part, isSpace: true, isGlued: false })
    else if (dense.test(part)) segments.push(...denseSegments(part))
    else if (withoutSpaces.test(part)) segments.push(...wordSegments(part))
    else segments.push({ text: part, isSpace: false, isGlued: segments.at(-1)?.isSpace === false })
  }
  return segments
}

function wordSegments(text: string): Segment[] {
  return Array.from(words.segment(text), ({ segment, isWordLike }, at) => ({
    text: segment,
    isSpace: false,
    isGlued: at === 0 || isWordLike === false,
  }))
}

function denseSegments(text: string): Segment[] {
  const segments: Segment[] = []
  for (const { segment } of characters.segment(text)) {
    const last = segments.at(-1)
    const isDense = dense.test(segment)
    const endsDense = last !== undefined && dense.test(last.text)
    const breaks = last === undefined || ((isDense || endsDense) && !closing.test(segment) && !opening.test(last.text))
    if (breaks || (isDense && endsDense && !last)) segments.push({ text: segment, isSpace: false, isGlued: !last })
    else last.text += segment
  }
  return segments
}

/** The characters of a text as a reader sees them. */
export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of characters.segment(text)) yield segment
}
