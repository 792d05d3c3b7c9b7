import { describe, expect, it } from '@jest/globals'
import { readPageSource } from './front-matter.ts'

describe('front matter', () => {
  it.each([
    ['none', '# T\n', {}, '# T\n'],
    ['a rule is none', 'text\n---\na: 1\n---\n', {}, 'text\n---\na: 1\n---\n'],
    ['never closed is none', '---\na: 1\n', {}, '---\na: 1\n'],
    ['empty', '---\n---\nx', {}, 'x'],
    [
      'fields',
      '---\ndescription: D\nicon: bolt\nhidden: true\nother: 1\n---\n\n# T',
      { description: 'D', icon: 'bolt', hidden: true },
      '\n# T',
    ],
    ['CRLF and a byte order mark', '\ufeff---\r\ntitle: T\r\n---\r\nx', { title: 'T' }, 'x'],
    ['an end without line break', '---\ntitle: T\n---', { title: 'T' }, ''],
    ['folded text', '---\ndescription: >-\n  a\n  b\n---\n', { description: 'a b' }, ''],
  ])('%s', (...[, text, frontMatter, body]) =>
    expect(readPageSource(text, 'p.md')).toEqual({ frontMatter, body, warnings: [] }),
  )

  it.each([
    ['broken YAML', '---\ntitle: T\nx: [\n---\n', {}, 'cannot be read'],
    ['no map', '---\n- a\n---\n', {}, 'not a map'],
    ['a wrong type', '---\ntitle: T\nhidden: maybe\n---\n', { title: 'T' }, 'hidden'],
    ['a wrong layout', '---\nlayout:\n  width: huge\n---\n', {}, 'layout.width'],
    ['a wrong variable', '---\nvars:\n  1a: x\n---\n', { vars: {} }, 'variable 1a'],
    [
      'aliases without end',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\n`,
      {},
      'repeats itself',
    ],
  ])('warns of %s with its line, and applies the rest', (...[, text, frontMatter, message]) =>
    expect(readPageSource(text, 'p.md')).toMatchObject({
      frontMatter,
      warnings: [{ path: 'p.md', line: expect.any(Number), message: expect.stringContaining(message) }],
    }),
  )

  it.each([
    ['coverY: top', 'coverY of the front matter is ignored: must be a number'],
    ['hidden: maybe', 'hidden of the front matter is ignored: must be a boolean'],
    ['layout:\n  width: huge', 'layout.width of the front matter is ignored: must be "default" or "wide"'],
    ['if: 1', 'if of the front matter is ignored: must be a string or a boolean'],
    ['tags: [1]', 'tags.0 of the front matter is ignored: must be a name, or tag and primary'],
    ['linkTitle: ""', 'linkTitle of the front matter is ignored: must have 1 to 100 characters'],
    [
      'metaLinks:\n  alternates: [""]',
      'metaLinks.alternates.0 of the front matter is ignored: must have 1 to 2048 characters',
    ],
    ['coverHeight: 5', 'coverHeight of the front matter is ignored: must be at least 10'],
    ['tags: one', 'tags of the front matter is ignored: must be an array'],
  ])('states the valid values of %j', (field, message) =>
    expect(readPageSource(`---\n${field}\n---\n`, 'p.md').warnings).toEqual([
      { path: 'p.md', line: expect.any(Number), message: `The field ${message}` },
    ]),
  )

  it('names the line in the file', () =>
    expect(readPageSource('---\ntitle: T\nhidden: maybe\n---\n', 'p.md').warnings[0]?.line).toBe(3))
})
