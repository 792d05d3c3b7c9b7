import type { Vocabulary } from './build-query.ts'
import { groupBy } from '../lists/group-by.ts'
import { allowedDistance, editDistance, isCorrectable } from './spelling.ts'

/** Corrections of one misspelt word. */
const maxCorrections = 4

const pairOfLetters = /^[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]{1,2}$/u

/** Whether a lexeme is a word: not a pair of letters, the mark of a space or a long number. */
export function isVocabulary(lexeme: string): boolean {
  return !lexeme.startsWith('space:') && !pairOfLetters.test(lexeme) && !/^[\d.,-]{6,}$/.test(lexeme)
}

/** A known word that matches a word of the query: the word itself, one that begins or ends with it, or a correction. */
export interface WordMatch {
  how: 'same' | 'longer' | 'ending' | 'similar'
  asked: string
  word: string
  uses: number
}

/** Groups the words of the vocabulary by the words of a query. */
export function groupMatches(foundWords: WordMatch[], pages: number): Vocabulary {
  const of = (how: WordMatch['how']) => foundWords.filter(one => one.how === how)
  const groupWords = (rows: WordMatch[]) =>
    new Map(
      [...groupBy(rows, ({ asked }) => asked)].map(([queryWord, all]) => [queryWord, all.map(({ word }) => word)]),
    )
  return {
    pages,
    uses: new Map(of('same').map(({ word, uses }) => [word, uses])),
    prefixes: new Set(of('longer').map(({ asked }) => asked)),
    endings: groupWords(of('ending')),
    similar: new Map(
      [...groupBy(of('similar'), ({ asked }) => asked)].map(([queryWord, all]) => [queryWord, nearest(queryWord, all)]),
    ),
  }
}

/** The words that are nearest to a misspelt one: the fewest changes first, then the most used. */
function nearest(queryWord: string, candidates: WordMatch[]): string[] {
  const limit = allowedDistance(queryWord)
  const near = candidates
    .filter(({ word }) => isCorrectable(word))
    .map(({ word, uses }) => ({ word, uses, distance: editDistance(queryWord, word, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.uses - a.uses)
  const [best] = near
  return near
    .filter(({ distance }) => distance === best?.distance)
    .slice(0, maxCorrections)
    .map(({ word }) => word)
}
