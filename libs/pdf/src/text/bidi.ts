import bidiFactory from 'bidi-js'

const bidi = bidiFactory()
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u

/** The direction of each character of a paragraph, by its level: odd ones run from right to left. */
export interface Direction {
  base: 'ltr' | 'rtl'
  /** By index of the text's code units; without them, all of it runs from left to right. */
  levels?: Uint8Array
}

/** Reads the directions of a paragraph. */
export function directionOf(text: string): Direction {
  if (!rightToLeft.test(text)) return { base: 'ltr' }
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  return { base: (paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr', levels }
}

/** Text of one level as it is given to a font: brackets are mirrored, and what has no letters of its own direction is turned around. */
export function shapedText(text: string, level: number): string {
  if (level % 2 === 0) return text
  const mirrored = Array.from(text, character => bidi.getMirroredCharacter(character) ?? character)
  // A font turns letters of its script around by itself.
  return rightToLeft.test(text) ? mirrored.join('') : mirrored.toReversed().join('')
}

/** The items of a line in the order in which they stand, from left to right (rule L2 of the algorithm). */
export function visualOrder<Item extends { level: number }>(items: readonly Item[]): Item[] {
  const ordered = [...items]
  const highest = Math.max(0, ...items.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      if ((ordered[start]?.level ?? 0) < level) continue
      let end = start
      while ((ordered[end + 1]?.level ?? -1) >= level) end++
      ordered.splice(start, end - start + 1, ...ordered.slice(start, end + 1).toReversed())
      start = end
    }
  }
  return ordered
}
