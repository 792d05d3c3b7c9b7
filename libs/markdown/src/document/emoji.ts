import { emojiToName, nameToEmoji } from 'gemoji'

/** The code points of an emoji by its short name, as hexadecimal numbers with dashes; undefined for other names. */
export function emojiCode(name: string): string | undefined {
  const emoji = Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  return emoji && Array.from(emoji, character => character.codePointAt(0)?.toString(16)).join('-')
}

/** The characters of code points; undefined when they are none. */
export function emojiCharacters(code: string): string | undefined {
  const points = code.split('-').map(point => Number.parseInt(point, 16))
  const isValid = points.every(point => point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff))
  return isValid ? String.fromCodePoint(...points) : undefined
}

/** The short name for code points, if there is one. */
export function emojiName(code: string): string | undefined {
  const characters = emojiCharacters(code)
  const name = characters && (emojiToName[characters] ?? emojiToName[`${characters}\ufe0f`])
  return name && emojiCode(name) === code ? name : undefined
}
