import { codePointsOfEmoji, emojiFromCodePoints } from '@recto/text'
import { emojiToName, nameToEmoji } from 'gemoji'

/** The code points of an emoji by its short name, as hexadecimal numbers with dashes; undefined for other names. */
export function emojiCode(name: string): string | undefined {
  const emoji = Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  return emoji && codePointsOfEmoji(emoji)
}

/** The short name for code points, if there is one. */
export function emojiName(code: string): string | undefined {
  const characters = emojiFromCodePoints(code)
  const name = characters && (emojiToName[characters] ?? emojiToName[`${characters}\ufe0f`])
  return name && emojiCode(name) === code ? name : undefined
}
