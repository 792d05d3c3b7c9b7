export { codePointsOfEmoji, emojiFromCodePoints } from './emoji.ts'
export { decodeUriComponent } from './percent-encoding.ts'
export { abbreviate } from './abbreviate.ts'
export { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts'
