import { describe, expect, it } from '@jest/globals'
import { firstHeading, parseYaml, readPageSource, readVariables } from '@recto/markdown'
import { readConfiguration } from './configuration.ts'
import { outlineOfFolders } from './folder-outline.ts'
import { referencedPaths } from './references.ts'
import { slugOfFile } from '@recto/repository-format'
import { readSummary, type SummaryEntry } from './summary.ts'

const tooLarge = (message: string) =>
  expect.objectContaining({ code: 'too_large', path: 'SUMMARY.md', message: expect.stringContaining(message) })
const staircase = (levels: number, step: string) =>
  Array.from({ length: levels }, (_, at) => `${step.repeat(at)}* [Page ${at}](p${at}.md)`).join('\n')
const depthOf = (entries: SummaryEntry[]): number => Math.max(0, ...entries.map(entry => 1 + depthOf(entry.children)))

describe('Tables of contents', () => {
  it.each([['  '], ['    '], ['\t']])('A table of contents of 20 levels with %j is read', step =>
    expect(depthOf(readSummary(staircase(20, step), 'SUMMARY.md').groups[0]?.entries ?? [])).toBe(20),
  )

  it('A table of contents may contain thematic breaks and repeated levels', () => {
    const { groups } = readSummary(
      `${'- '.repeat(40)}\n\n${Array.from({ length: 30 }, () => `${staircase(10, '  ')}\n`).join('')}`,
      'SUMMARY.md',
    )
    expect(groups[0]?.entries).toHaveLength(30)
  })

  it.each([
    ['lists', staircase(21, '  '), 'line 21: the entries are nested more than 20 levels deep'],
    ['lists by the hundred', staircase(600, '  '), 'line 21: '],
    ['lists on one line', `* [A](a.md)\n${'- '.repeat(5_000)}x`, 'line 2: the entries are nested'],
    ['ordered lists', `${'1. '.repeat(5_000)}x`, 'line 1: the entries are nested'],
    ['quotes', `${'>'.repeat(5_000)} x`, 'line 1: the entries are nested'],
    ['lists in a quote', staircase(50, '  ').replace(/^/gm, '> '), 'are nested'],
    [
      'lists below items with quotes',
      `${Array.from({ length: 50 }, (_, at) => `${'  '.repeat(at)}- > x`).join('\n')}`,
      'are nested',
    ],
  ])('A table of contents with too many levels of %s is refused', (_title, text, message) =>
    expect(() => readSummary(text, 'SUMMARY.md')).toThrow(tooLarge(message)),
  )

  it('A table of contents with too many entries is refused before it is parsed', () =>
    expect(() => readSummary('* [A](a.md)\n'.repeat(11), 'SUMMARY.md', 10)).toThrow(
      tooLarge('line 11: there are more entries than the limit of 10'),
    ))

  it.each([
    ['images', '![a'.repeat(5_000)],
    ['lines', 'words and words\n'.repeat(1_000)],
  ])('A table of contents with a paragraph of too many %s is refused', (_title, text) =>
    expect(() => readSummary(`* [A](a.md)\n\n${text}`, 'SUMMARY.md')).toThrow(
      tooLarge('line 2: a paragraph is longer than 8192 characters'),
    ),
  )

  it('A table of contents keeps emphasis characters as text when there are too many', () => {
    const marks = '*_'.repeat(150)
    expect(readSummary(`* ${marks}a`, 'SUMMARY.md').groups[0]?.entries).toEqual([
      { kind: 'text', title: `${marks}a`, line: 1, end: 1, children: [] },
    ])
  })
})

describe('YAML limits', () => {
  it.each([
    ['brackets', '['.repeat(30_000)],
    ['braces', `a: ${'{a: '.repeat(10_000)}`],
    ['sequences', `a: 1\n${'- '.repeat(20_000)}x`],
    ['maps', Array.from({ length: 200 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['keys', '? '.repeat(10_000)],
  ])('YAML with too many levels of %s is refused', (_title, text) =>
    expect(parseYaml(text)).toEqual({
      ok: false,
      message: 'it is nested more than 20 levels deep',
      line: expect.any(Number),
    }),
  )

  it('YAML of 20 levels is read, with its lines', () => {
    const text = Array.from({ length: 20 }, (_, at) => `${' '.repeat(at)}a:${at === 19 ? ' 1' : ''}`).join('\n')
    const yaml = parseYaml(text)
    expect(yaml.ok && yaml.lineOf(Array.from({ length: 20 }, () => 'a'))).toBe(20)
  })

  it('YAML with duplicate keys is refused', () =>
    expect(parseYaml('a: 1\nb: 2\n"a": 3\n')).toEqual({ ok: false, message: 'Map keys must be unique: a', line: 3 }))

  it.each(['"\\0"', '"a\\ud800"', '"\\udc00b"', '{"\\0": 1}', '["\\x00"]'])(
    'YAML with the value %s is refused, since it cannot be stored',
    value =>
      expect(parseYaml(`a: 1\nb: ${value}`)).toEqual({
        ok: false,
        message: 'it holds a character that cannot be stored',
        line: 2,
      }),
  )

  it('YAML may contain a complete surrogate pair', () =>
    expect(parseYaml('a: "\\ud83d\\ude00"')).toMatchObject({ ok: true, value: { a: '😀' } }))
})

describe('Unstorable text', () => {
  it('Text that cannot be stored in .gitbook.yaml ends the import with file and line', () =>
    expect(() => readConfiguration('root: ./\nredirects:\n  "a\\0": b.md\n', '')).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        path: '.gitbook.yaml',
        message: '.gitbook.yaml, line 3: it holds a character that cannot be stored',
      }),
    ))

  it('Text that cannot be stored is a warning in variables and in front matter', () => {
    expect(readVariables('a: 1\nb: "\\ud800"\n', 'v.yaml')).toEqual({
      variables: {},
      warnings: [{ path: 'v.yaml', line: 2, message: expect.stringContaining('cannot be stored') }],
    })
    expect(readPageSource('---\ntitle: "\\0"\n---\nx', 'p.md')).toEqual({
      frontMatter: {},
      body: 'x',
      warnings: [{ path: 'p.md', line: 2, message: expect.stringContaining('cannot be stored') }],
    })
  })
})

it('Front matter that is too large is ignored with a warning', () =>
  expect(readPageSource(`---\ntitle: T\n${'# comment\n'.repeat(7_000)}---\nbody`, 'p.md')).toEqual({
    frontMatter: {},
    body: 'body',
    warnings: [
      { path: 'p.md', line: 1, message: 'The front matter is larger than the limit of 65536 bytes and is ignored' },
    ],
  }))

it('Pages below too many folders are refused, other files are accepted', () => {
  const folders = (count: number) => 'f/'.repeat(count)
  const outline = (path: string) => outlineOfFolders(['README.md', path], { root: '', readme: 'README.md' })
  expect(outline(`${folders(19)}a.md`).entries).toHaveLength(2)
  expect(outline(`${folders(300)}a.png`).entries).toHaveLength(1)
  expect(() => outline(`${folders(20)}a.md`)).toThrow(
    expect.objectContaining({ code: 'too_large', path: `${folders(20)}a.md` }),
  )
})

// A quadratic algorithm takes from many seconds to hours for each of these.
describe('Linear time of parsers', () => {
  const many = 300_000

  it('Many blanks in a link are parsed in linear time', () =>
    expect([
      ...referencedPaths(
        `[a](x${' '.repeat(many)}y) [b](b.png   "t") [c](<c.png> (t)) [d]: ${'x'.repeat(3_000)}`,
        'p.md',
      ),
    ]).toEqual(['c.png', 'b.png']))
  it('Many dashes in a file name are parsed in linear time', () =>
    expect(slugOfFile(`${'-'.repeat(many)}a${'-'.repeat(many)}.md`, '')).toBe('a'))
  it('Many keys of a YAML map are parsed in linear time', () =>
    expect(parseYaml(Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n')).ok).toBe(true))
  it('Many marks in a heading are parsed in linear time', () =>
    expect(firstHeading(`# ${'*_'.repeat(many)}\n# Title`)).toBe('Title'))
  it('Many headings without text are parsed in linear time', () =>
    expect(firstHeading('# <b>\n'.repeat(many))).toBeUndefined())
  it('Many lines of front matter are parsed in linear time', () =>
    expect(readPageSource(`---\n${'---x\n'.repeat(many)}`, 'p.md').frontMatter).toEqual({}))
})
