import type { DocumentBlock } from '../document/schema.ts'
import type { ContentNode } from './content-ids.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const wordCharacter = /[\p{L}\p{N}]/u
/** Scripts whose words have no spaces between them. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u
/** A word with the marks on its letters, spaces, or another character. */
const spacedSegment = /[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*|\s+|[^]/gu

/** The words of a text and what is between them, in their order; together they are the text. Scripts without spaces have words, too. */
export function segmentsOf(text: string): string[] {
  if (!unspaced.test(text)) return text.match(spacedSegment) ?? []
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Whether a piece of a text is a word. */
export function isWord(segment: string): boolean {
  return wordCharacter.test(segment)
}

/** Words of a node that are compared: the first ones tell enough. */
const maxWords = 400

/** Characters of a text that are compared. */
const maxCharacters = 8_000

/** The words of a node and of all that is in it, with those of its data, in their order. */
export function wordsIn(node: ContentNode): string[] {
  const words: string[] = []
  addWords(node, words)
  return words
}

function addWords(node: ContentNode, words: string[]): void {
  if (words.length >= maxWords) return
  if (node.object === 'text') {
    for (const { text } of node.leaves) addSegments(text, words)
    return
  }
  const { data = {}, nodes = [], fragments = [] } = node as DocumentBlock
  for (const value of Object.values(data)) if (typeof value === 'string') addSegments(value, words)
  for (const child of [...nodes, ...fragments]) addWords(child, words)
}

function addSegments(text: string, words: string[]): void {
  for (const segment of segmentsOf(text.slice(0, maxCharacters))) {
    if (words.length >= maxWords) return
    if (isWord(segment)) words.push(segment)
  }
}

/** The part of words that two lists have in common, from 0 to 1 (Sørensen–Dice); of two empty lists, 1. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  const counts = new Map<string, number>()
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = counts.get(word) ?? 0
    if (count > 0) common += 1
    counts.set(word, count - 1)
  }
  return (2 * common) / (a.length + b.length)
}
