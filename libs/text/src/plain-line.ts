/** A text of a file or of its name on one line, without what a terminal would interpret. */
export function plainLine(text: string): string {
  return text
    .replace(
      /[\p{Cc}\u2028\u2029]/gu,
      character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
