/** Changes the character at a place of a signed text, so that its signature is wrong whatever it was. */
export function forged(text: string, at = 0): string {
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
}
