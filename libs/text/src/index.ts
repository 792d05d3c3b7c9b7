export { codePointsOfEmoji, emojiFromCodePoints } from './emoji.ts'
export { decodeUriComponent } from './percent-encoding.ts'
export { truncate } from './truncate.ts'
