/** A part of a file that parses alone as it does in the whole file. */
export interface Part {
  text: string
  firstLine: number
}

const linesPerPart = 200
/** A list item or a heading at the margin, which ends all open blocks except those of `spanningSyntax`. */
const margin = /^(?:[*+-] +\S|#{1,6} )/
/** Syntax that can span items: link definitions, HTML, and fences at the margin. */
const spanningSyntax = /^ {0,3}(?:\[[^\]]+\]:|<|```|~~~)/m

/** Cuts a long table of contents before items at the margin, since the time to parse Markdown grows faster than its length. */
export function partsOf(text: string): Part[] {
  if (spanningSyntax.test(text)) return [{ text, firstLine: 1 }]
  const lines = text.split(/\r\n|\r|\n/)
  const parts: Part[] = []
  let start = 0
  for (let at = 1; at <= lines.length; at++) {
    const isCut = at === lines.length || (at - start >= linesPerPart && margin.test(lines[at] ?? ''))
    if (!isCut) continue
    parts.push({ text: lines.slice(start, at).join('\n'), firstLine: start + 1 })
    start = at
  }
  return parts
}
