import { longestIncreasingSubsequence } from '@recto/text'
import { diffIndices } from 'node-diff3'

/** The items of the old sequence from `start` to `end`, which items of the new one replace. */
export interface Hunk {
  start: number
  end: number
  newStart: number
  newEnd: number
}

/** Largest product of the lengths of two parts that are compared exactly, which takes quadratic time. */
const maxExactProduct = 40_000
/** Largest sum of these products in one comparison, about a tenth of a second. Parts beyond it are compared by unique items alone. */
const exactBudget = 2_000_000
const maxDepth = 16

/**
 * Finds the items that differ, in their order. Takes linear time in sequences of any length: equal ends are left out, items that are unique
 * in both divide the rest, and only small parts between them are compared exactly.
 */
export function sequenceHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const whole = { start: 0, end: before.length, newStart: 0, newEnd: after.length }
  return findHunks(whole, { before, after, depth: 0, budget: { rest: exactBudget } })
}

interface Comparison {
  before: readonly string[]
  after: readonly string[]
  depth: number
  /** The remaining budget, which all parts share. */
  budget: { rest: number }
}

function findHunks(whole: Hunk, texts: Comparison): Hunk[] {
  const part = withoutEqualEnds(whole, texts)
  const length = part.end - part.start
  const newLength = part.newEnd - part.newStart
  if (length === 0 && newLength === 0) return []
  if (length === 0 || newLength === 0) return [part]
  const product = length * newLength
  if (product <= Math.min(maxExactProduct, texts.budget.rest)) {
    texts.budget.rest -= product
    return exactHunks(part, texts)
  }
  const anchors = texts.depth < maxDepth ? ascendingPairs(uniquePairs(part, texts)) : []
  if (anchors.length === 0) return [part]
  return splitAtAnchors(part, anchors).flatMap(each => findHunks(each, { ...texts, depth: texts.depth + 1 }))
}

function withoutEqualEnds({ start, end, newStart, newEnd }: Hunk, { before, after }: Comparison): Hunk {
  const part = { start, end, newStart, newEnd }
  while (part.start < end && part.newStart < newEnd && before[part.start] === after[part.newStart]) {
    part.start += 1
    part.newStart += 1
  }
  while (part.end > part.start && part.newEnd > part.newStart && before[part.end - 1] === after[part.newEnd - 1]) {
    part.end -= 1
    part.newEnd -= 1
  }
  return part
}

function exactHunks({ start, end, newStart, newEnd }: Hunk, { before, after }: Comparison): Hunk[] {
  return diffIndices(before.slice(start, end), after.slice(newStart, newEnd)).map(({ buffer1, buffer2 }) => ({
    start: start + buffer1[0],
    end: start + buffer1[0] + buffer1[1],
    newStart: newStart + buffer2[0],
    newEnd: newStart + buffer2[0] + buffer2[1],
  }))
}

type Pair = [at: number, newAt: number]

/** Finds the items that each sequence has exactly once, in the order of the old one. */
function uniquePairs({ start, end, newStart, newEnd }: Hunk, { before, after }: Comparison): Pair[] {
  const places = uniquePlaces(before, start, end)
  const newPlaces = uniquePlaces(after, newStart, newEnd)
  return [...places].flatMap(([item, at]): Pair[] => {
    const newAt = newPlaces.get(item)
    return at === undefined || newAt === undefined ? [] : [[at, newAt]]
  })
}

/** Maps each item to its place; undefined for one that occurs several times. */
function uniquePlaces(items: readonly string[], start: number, end: number): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>()
  for (let at = start; at < end; at += 1) {
    const item = items[at] ?? ''
    places.set(item, places.has(item) ? undefined : at)
  }
  return places
}

/** Finds the longest sequence of pairs that increases in both sequences. */
function ascendingPairs(pairs: Pair[]): Pair[] {
  return longestIncreasingSubsequence(pairs.map(([, newAt]) => newAt)).map(index => pairs[index] as Pair)
}

/** Splits a part into the parts before, between and after anchors. */
function splitAtAnchors({ start, end, newStart, newEnd }: Hunk, anchors: Pair[]): Hunk[] {
  const bounds: Pair[] = [[start - 1, newStart - 1], ...anchors, [end, newEnd]]
  return bounds.slice(1).map(([at, newAt], index) => {
    const [last, newLast] = bounds[index] as Pair
    return { start: last + 1, end: at, newStart: newLast + 1, newEnd: newAt }
  })
}
