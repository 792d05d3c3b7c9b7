import { describe, expect, it } from '@jest/globals'
import { partsOf } from './summary-parts.ts'
import { readSummary, type SummaryEntry } from './summary.ts'

const sections = 120
const perSection = 9

/** `* [Page 1](page-1.md)` with pages below it, and a heading every tenth section. */
function longSummary(): string {
  const lines = ['# Contents', '']
  for (let at = 0; at < sections; at++) {
    if (at % 10 === 9) lines.push('', `## Group ${at}`, '')
    lines.push(`* [Section ${at}](section-${at}.md)`)
    for (let below = 1; below < perSection; below++) lines.push(`  * [Page ${at}.${below}](page-${at}-${below}.md)`)
  }
  return `${lines.join('\n')}\n`
}

const all = (entries: SummaryEntry[]): SummaryEntry[] => entries.flatMap(entry => [entry, ...all(entry.children)])

describe('Parts of a table of contents', () => {
  const text = longSummary()
  const lines = text.split('\n')

  it('A long table of contents is split at unindented lines without loss', () => {
    const parts = partsOf(text)
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.map(part => part.text).join('\n')).toBe(text)
    for (const part of parts) expect(lines[part.firstLine - 1]).toBe(part.text.split('\n')[0])
    for (const part of parts.slice(1)) expect(part.text).toMatch(/^(\* |## )/)
  })

  it('A long table of contents parses in parts to the same result as in one piece, with the line numbers of the file', () => {
    // A definition applies across items, so this one is not split.
    const whole = readSummary(`${text}\n[x]: https://example.org\n`, 'SUMMARY.md')
    const cut = readSummary(text, 'SUMMARY.md')
    expect(cut).toEqual(whole)
    expect(cut.groups).toHaveLength(13)
    const entries = cut.groups.flatMap(group => all(group.entries))
    expect(entries).toHaveLength(sections * perSection)
    for (const entry of entries)
      expect(entry.kind === 'page' && lines[entry.line - 1]).toContain(`[${entry.kind === 'page' ? entry.title : ''}]`)
  })

  it.each(['[x]: https://example.org', '<!--', '```', '  ~~~'])(
    'A long table of contents is not split when an unindented line starts with %s',
    line => {
      expect(partsOf(`${line}\n${text}`)).toHaveLength(1)
    },
  )
})
