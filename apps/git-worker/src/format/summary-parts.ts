/** A piece of a file that means by itself what it means in the whole. */
export interface Part {
  text: string
  firstLine: number
}

const linesPerPart = 200
/** A list item or a heading at the margin: whatever was open before ends here, unless it is one of those below. */
const margin = /^(?:[*+-] +\S|#{1,6} )/
/** What reaches across items: definitions of links, HTML, and fences at the margin. */
const reaching = /^ {0,3}(?:\[[^\]]+\]:|<|```|~~~)/m

/** Cuts a long table of contents before items at the margin, since the time to parse Markdown grows faster than its length. */
export function partsOf(text: string): Part[] {
  if (reaching.test(text)) return [{ text, firstLine: 1 }]
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
