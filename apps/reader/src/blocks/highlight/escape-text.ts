const characters: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text as HTML. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, character => characters[character] ?? '')
}
