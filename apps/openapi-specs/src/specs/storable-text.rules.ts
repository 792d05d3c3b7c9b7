/** A text without what the database does not store, NUL and halves of characters, cut to a length without cutting a character. */
export function storableText(text: string, length: number): string {
  return text
    .replaceAll(/[\0\p{Cs}]/gu, '')
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
}
