/** The parts of a page file: front matter between lines of three dashes, and what follows. Without front matter all is body. */
export interface PageParts {
  /** The lines between the dashes. */
  head?: string
  body: string
  /** Where the head and the body start in the file. */
  headOffset: number
  bodyOffset: number
}

/** Splits a page file. */
export function splitPage(text: string): PageParts {
  const start = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0].length
  if (start === undefined) return { body: text, headOffset: 0, bodyOffset: 0 }
  for (let at = start; at <= text.length;) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    if (text.startsWith('---', at) && /^[ \t]*\r?$/.test(text.slice(at + 3, end)))
      return { head: text.slice(start, at), body: text.slice(end + 1), headOffset: start, bodyOffset: end + 1 }
    at = end + 1
  }
  return { body: text, headOffset: 0, bodyOffset: 0 }
}
