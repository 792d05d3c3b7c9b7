import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString } from 'mdast-util-to-string'

/** The text of the first heading of level one, or undefined. Only the heading is parsed: pages can be long. */
export function firstHeading(body: string): string | undefined {
  const lines = body.split(/\r?\n/)
  let fence: string | undefined
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
    const title = headingAt(line, lines[at + 1])
    if (title) return title
  }
  return undefined
}

function headingAt(line: string, next: string | undefined): string | undefined {
  const isSetext = next !== undefined && /^ {0,3}=+\s*$/.test(next) && /^ {0,3}\S/.test(line)
  if (!isSetext && !/^ {0,3}#[ \t]+\S/.test(line)) return undefined
  const [node] = fromMarkdown(isSetext ? `${line}\n${next}` : line).children
  const text = node?.type === 'heading' && node.depth === 1 ? toString(node, { includeHtml: false }).trim() : ''
  return text || undefined
}
