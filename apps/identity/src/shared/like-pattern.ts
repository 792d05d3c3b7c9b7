/** The pattern of SQL `like` and `ilike` that matches text containing this one; its wildcards are escaped. */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
