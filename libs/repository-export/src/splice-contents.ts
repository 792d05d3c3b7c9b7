import type { CurrentContents, CurrentItem } from './align-contents.ts'
import type { RenderedStep } from './render-contents.ts'
import { LineWriter, type TextLine } from './text-lines.ts'

/**
 * Joins the lines of the steps. Lines that belong to no item stay after the item that they follow, and after what is inserted there.
 * Headings stand between empty lines.
 */
export function spliceLines({ lines, items }: CurrentContents, steps: RenderedStep[]): string {
  const out = new LineWriter(lines)
  /** Lines that belong to no item and are not written yet. */
  let gap = lines.slice(0, (items[0]?.first ?? Infinity) - 1)
  let isAtStart = true
  let isAfterHeading = false
  let isAfterInsert = false
  const flushGap = (): void => {
    out.keep(gap)
    gap = []
  }
  const flushBlankLines = (): void => {
    const end = gap.findIndex(({ text }) => text.trim() !== '')
    out.keep(gap.splice(0, end < 0 ? gap.length : end))
  }
  for (const { step, lines: own } of steps) {
    if (step.kind === 'insert') {
      const isHeading = step.item.level < 0
      if (isHeading || (isAtStart && !isAfterHeading)) flushGap()
      else if (isAfterHeading) flushBlankLines()
      if (isHeading || isAfterHeading) out.addBlank()
      writeLines(out, own)
      if (own.length > 0) {
        isAtStart = false
        isAfterHeading = isHeading
      }
      isAfterInsert = true
      continue
    }
    flushGap()
    const gapLines = gapAfter(step.current, lines)
    if (step.kind === 'drop') out.keep(withoutSecondBlank(gapLines, out))
    else {
      const hasLines = step.current.first <= step.current.last
      if (isAfterInsert && step.item.level < 0 && hasLines) out.addBlank()
      writeLines(out, own)
      gap = gapLines
      isAfterInsert = false
    }
    isAtStart = false
    isAfterHeading = step.current.level < 0
  }
  flushGap()
  return out.toString()
}

function writeLines(out: LineWriter, lines: (TextLine | string)[]): void {
  for (const line of lines) {
    if (typeof line === 'string') out.add(line)
    else out.keep([line])
  }
}

function gapAfter({ last, gapEnd }: CurrentItem, lines: TextLine[]): TextLine[] {
  return lines.slice(last, gapEnd)
}

/** Lines after a removed item stay, without a second empty line. */
function withoutSecondBlank(gap: TextLine[], out: LineWriter): TextLine[] {
  const start = gap.findIndex(({ text }) => text.trim() !== '')
  return out.endsWithBlank() ? gap.slice(start < 0 ? gap.length : start) : gap
}
