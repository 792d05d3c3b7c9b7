/** A text of at most `maxLength` characters (code points, none of them divided): a longer one ends with an ellipsis, which counts as one. */
export function abbreviate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A code point has at most two UTF-16 units: that many decide, however long the text is.
  const characters = Array.from(text.slice(0, 2 * maxLength + 1))
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
