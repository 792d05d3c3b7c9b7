/** Letters of the shortest word whose misspellings are corrected. */
export const shortestCorrected = 4
/** Letters at the start of a word that its variants are made from. */
const variantLength = 12

/** Whether misspellings of a word are looked for: not in scripts that are written without spaces, and not in numbers. */
export function isCorrectable(word: string): boolean {
  return (
    word.length >= shortestCorrected &&
    /^[\p{L}\p{M}_-][\p{L}\p{M}\p{N}_-]*$/u.test(word) &&
    !/[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(word)
  )
}

/**
 * Hashes of the start of a word and of that start without one letter. Two words that differ by one letter added, left out or
 * replaced, or by two neighbours swapped, have one in common.
 */
export function deletionNeighbours(word: string): number[] {
  if (!isCorrectable(word)) return []
  const start = [...word].slice(0, variantLength)
  const without = start.map((_letter, at) => start.toSpliced(at, 1).join(''))
  // The start of a long word may lose or gain its last letter where the words differ.
  return [...new Set([start.join(''), ...without].map(hash))]
}

/** 32-bit FNV-1a, as a signed integer. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value | 0
}

/** The letters by which a misspelt word may differ from the right word. */
export function allowedDistance(word: string): number {
  return word.length >= 8 ? 2 : 1
}

/** Letters to add, leave out or replace, and neighbours to swap, to make one word of the other; `limit + 1` when it is more than `limit`. */
export function editDistance(left: string, right: string, limit: number): number {
  const a = [...left]
  const b = [...right]
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous: number[] = []
  let current = Array.from({ length: b.length + 1 }, (_value, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const steps = [at(next, column - 1) + 1, at(current, column) + 1, at(current, column - 1) + cost]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) steps.push(at(previous, column - 2) + 1)
      next.push(Math.min(...steps))
    }
    if (Math.min(...next) > limit) return limit + 1
    ;[previous, current] = [current, next]
  }
  return Math.min(at(current, b.length), limit + 1)
}

const at = (row: number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
