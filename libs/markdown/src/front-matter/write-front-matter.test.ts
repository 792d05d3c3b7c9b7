import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readPageSource } from './front-matter.ts'
import { writeFrontMatter } from './write-front-matter.ts'

describe('front matter is written', () => {
  it.each([
    ['into a page without', '# T', { icon: 'bolt' }, '---\nicon: bolt\n---\n\n# T'],
    ['into an empty page', '', { icon: 'bolt' }, '---\nicon: bolt\n---\n'],
    ['not at all without values', '# T', { icon: undefined }, '# T'],
    ['after a byte order mark', '\ufeff# T', { icon: 'bolt' }, '\ufeff---\nicon: bolt\n---\n\n# T'],
    [
      'in place, with comments and order kept',
      '---\n# one\nb: 1 # x\na: 2 # y\n# two\nc: 3\n---\nbody',
      { a: 5 },
      '---\n# one\nb: 1 # x\na: 5 # y\n# two\nc: 3\n---\nbody',
    ],
    ['at the end when new', '---\na: 1\n---\n', { z: [1] }, '---\na: 1\nz:\n  - 1\n---\n'],
    ['without a removed key', '---\na: 1\nb: |\n  x\n  y\nc: 2\n---\n', { b: undefined }, '---\na: 1\nc: 2\n---\n'],
    ['without a removed map', '---\na:\n  b: 1\n  c: 2\nd: 3\n---\n', { a: undefined }, '---\nd: 3\n---\n'],
    ['with CRLF', '---\r\na: 1\r\nb: 2\r\n---\r\nx\r\n', { a: 3 }, '---\r\na: 3\r\nb: 2\r\n---\r\nx\r\n'],
    ['as it was when nothing changes', "---\na: '1'\n---\n", { a: '1' }, "---\na: '1'\n---\n"],
    ['into a flow map', '---\n{ a: 1, b: 2 }\n---\n', { a: 3 }, '---\n{ a: 3, b: 2 }\n---\n'],
    ['over a key of a flow map that goes', '---\n{ a: 1, b: 2 }\n---\n', { a: undefined }, '---\nb: 2\n---\n'],
    ['over a value that others refer to', '---\na: &x 1\nb: *x\n---\n', { a: 2 }, '---\na: 2\nb: 1\n---\n'],
    ['into empty front matter', '---\n---\nx', { a: 1 }, '---\na: 1\n---\nx'],
  ])('%s', (_title, text, changes, expected) => expect(writeFrontMatter(text, changes)).toBe(expected))

  it('unless what is there cannot be read', () =>
    expect(() => writeFrontMatter('---\nx: [\n---\n', { a: 1 })).toThrow('The front matter cannot be read'))

  it('and read as it was given', () =>
    fc.assert(
      fc.property(fc.string(), fc.boolean(), fc.string(), (description, hidden, body) => {
        fc.pre(!/^\s*---/.test(body) && !/[\0\ud800-\udfff]/u.test(description))
        const markdown = writeFrontMatter(body, { description, hidden })
        expect(readPageSource(markdown, 'p.md').frontMatter).toEqual({ description, hidden })
        expect(writeFrontMatter(markdown, { description, hidden })).toBe(markdown)
      }),
    ))
})
