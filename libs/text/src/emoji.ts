const hexadecimal = /^[0-9a-f]{1,6}$/i

/** The code points of an emoji as hexadecimal numbers joined by `-`, such as `1f1e9-1f1ea`: the form in which the API names emoji. */
export function codePointsOfEmoji(emoji: string): string {
  return Array.from(emoji, character => (character.codePointAt(0) ?? 0).toString(16)).join('-')
}

/** The characters of hexadecimal code points joined by `-`; undefined when one is zero, no Unicode scalar value or no number. */
export function emojiFromCodePoints(code: string): string | undefined {
  const points = code.split('-')
  if (!points.every(point => hexadecimal.test(point))) return undefined
  const scalars = points.map(point => Number.parseInt(point, 16))
  return scalars.every(isScalarValue) ? String.fromCodePoint(...scalars) : undefined
}

/** Whether a number is a Unicode scalar value above zero: within the code space, and no surrogate. */
function isScalarValue(point: number): boolean {
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
}
