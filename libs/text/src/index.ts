export { codePointsOfEmoji, emojiFromCodePoints } from './emoji.ts'
export { parseJson } from './parse-json.ts'
export { decodeUriComponent } from './percent-encoding.ts'
export { abbreviate } from './abbreviate.ts'
export { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts'
export {
  preparePages,
  searchPages,
  type IndexedPage,
  type IndexedSection,
  type PreparedPage,
  type SearchHit,
} from './page-search.ts'
export { plainLine } from './plain-line.ts'
