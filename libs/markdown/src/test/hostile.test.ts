import { describe, expect, it } from '@jest/globals'
import { markdownBounds, readOutline } from '../index.ts'
import { parseCost } from '../syntax/bounds-check.ts'
import { read, write } from './round-trip.ts'

const megabyte = 1024 * 1024
const cases: [string, string][] = [
  ['10,000 quotes', `${'>'.repeat(10_000)} x`],
  ['10,000 lists on a line', `${'- '.repeat(10_000)}x`],
  ['a staircase of lists', Array.from({ length: 1_000 }, (_, at) => `${'  '.repeat(at)}* a`).join('\n')],
  ['10,000 tags', '{% hint style="info" %}\n'.repeat(10_000)],
  ['1,000 tags', '{% hint style="info" %}\n'.repeat(1_000)],
  ['unclosed tags', '{% '.repeat(megabyte / 3)],
  ['unclosed quotes in tags', '{% a="'.repeat(megabyte / 6)],
  ['brackets', '['.repeat(megabyte)],
  ['asterisks', '*'.repeat(megabyte)],
  ['emphasis that is never closed', '*a '.repeat(megabyte / 3)],
  ['emphasis that nests', '*a '.repeat(4_000) + 'a* '.repeat(4_000)],
  ['emphasis that is never opened', 'a* '.repeat(megabyte / 3)],
  ['less-than signs', '<'.repeat(megabyte)],
  ['comments', '<!--'.repeat(megabyte / 4)],
  ['HTML elements', '<ul><li>'.repeat(20_000)],
  ['elements in text', '<kbd>a'.repeat(20_000)],
  ['backticks', Array.from({ length: 1_000 }, (_, at) => `${'`'.repeat(at)}a`).join('')],
  ['words in one paragraph', 'words and words\n'.repeat(megabyte / 16)],
  ['cells', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(40_000)}`],
  ['references to a long definition', `${'[a] '.repeat(1_000)}\n\n[a]: ${'u'.repeat(100_000)}`],
  ['references to a long footnote', `${'x[^a] '.repeat(1_000)}\n\n[^a]: ${'long '.repeat(10_000)}`],
]

describe('hostile Markdown is kept as it was written', () => {
  it.each(cases)('%s', (_title, markdown) => {
    const document = read(markdown)
    expect(document.nodes).toHaveLength(1)
    expect(document.nodes[0]).toMatchObject({ type: 'code', data: { raw: true } })
    expect(write(document).trimEnd()).toBe(markdown.trimEnd())
    expect(readOutline(markdown).sections.length).toBeGreaterThan(0)
  })
})

it('a page of a megabyte of usual text is well within the bounds', () => {
  const paragraph = 'Some text with **bold**, [a link](b.md) and `code` in a sentence of usual length.\n\n'
  expect(parseCost(paragraph.repeat(megabyte / paragraph.length))).toBeLessThan(markdownBounds.cost / 2)
})

it('many embeds without captions are not nested', () =>
  expect(read('{% embed url="a" %}\n\n'.repeat(500)).nodes).toHaveLength(500))
