import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString } from 'mdast-util-to-string'
import { firstHeading } from './first-heading.ts'

const cases: [title: string, body: string, heading: string | undefined][] = [
  ['words', '# Getting started\n', 'Getting started'],
  ['signs of text', '# Q&A: “it’s” (v1.2), 50% + more?', 'Q&A: “it’s” (v1.2), 50% + more?'],
  ['syntax', '# *One* `two` [three](x.md) \\# &amp;', 'One two three # &'],
  ['closing signs', '# Title ##', 'Title'],
  ['blanks around it', '  #   Title \t ', 'Title'],
  ['a blank of another kind', '# \u00a0Title', 'Title'],
  ['no text', '# <br>\n\n# Title', 'Title'],
  ['code before it', '```\n# No\n```\n\n# Title', 'Title'],
  ['a line below it', 'Title\n=====', 'Title'],
  ['another level', '## Title', undefined],
]

describe('The first heading of a page with', () => {
  it.each(cases)('%s', (...[, body, heading]) => expect(firstHeading(body)).toBe(heading))

  it('any text is what a parser says', () => {
    const piece = fc.constantFrom(
      'a',
      'B9',
      ' ',
      '  ',
      '.',
      '(',
      ')',
      "'",
      '"',
      '+',
      '-',
      '=',
      ':',
      '|',
      '$',
      '{',
      '%}',
    )
    const sign = fc.constantFrom('*', '_', '`', '[', '](x)', '<b>', '&amp;', '\\', '#', '!', '~', 'é', '中', '\u00a0')
    const text = fc.array(fc.oneof(piece, piece, sign), { maxLength: 12 })
    fc.assert(
      fc.property(text, pieces => {
        const body = `# ${pieces.join('')}`
        const [node] = fromMarkdown(body).children
        const parsed = node?.type === 'heading' ? toString(node, { includeHtml: false }).trim() : ''
        expect(firstHeading(body)).toBe(parsed || undefined)
      }),
      { numRuns: 2_000 },
    )
  })
})
