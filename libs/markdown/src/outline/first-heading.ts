import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString } from 'mdast-util-to-string'

/** Characters; a longer heading is not a title, and takes long to parse. */
const maxHeadingLength = 2_000
/** Headings without text, such as HTML only, that are skipped at most. */
const maxEmptyHeadings = 100

/** The text of the first heading of level one, or undefined. Only the heading is parsed: pages can be long. */
export function firstHeading(body: string): string | undefined {
  const lines = body.split(/\r?\n/)
  let fence: string | undefined
  let tries = 0
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const heading = headingAt(line, lines[at + 1])
    if (heading === undefined || heading.length > maxHeadingLength) continue
    const title = titleOf(heading)
    if (title || ++tries === maxEmptyHeadings) return title
  }
  return undefined
}

/** The lines of a heading of level one, if it is one. */
function headingAt(line: string, next: string | undefined): string | undefined {
  const isSetext = next !== undefined && /^ {0,3}=+\s*$/.test(next) && /^ {0,3}\S/.test(line)
  if (isSetext) return `${line}\n${next}`
  return /^ {0,3}#[ \t]+[^ \t]/.test(line) ? line : undefined
}

/** A heading of one line without any sign of syntax: its words are its text. Only one part can match each blank, so that many take no longer. */
const plainHeading = /^ {0,3}#[ \t]+([^\s\\`*_[\]<>&#!~\0][^\\`*_[\]<>&#!~\0\t\r\n]*)$/

function titleOf(heading: string): string | undefined {
  const plain = plainHeading.exec(heading)?.[1]?.trim()
  if (plain) return plain
  const [node] = fromMarkdown(heading).children
  const text = node?.type === 'heading' && node.depth === 1 ? toString(node, { includeHtml: false }).trim() : ''
  return text || undefined
}
