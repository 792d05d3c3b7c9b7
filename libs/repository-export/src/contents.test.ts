import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { outlineOfSummary, readSummary } from '@recto/repository-content'
import { updateContents } from './update-contents.ts'
import type { ContentsEntry } from './contents.ts'

type Draft = string | [string, ...Draft[]]

/** A tree of `title <file>`, `## group`, `title`, `title -> href`; the key is the file or the title, or what stands before `=`. */
function tree(drafts: Draft[], options: { keepsTitle?: boolean } = {}): ContentsEntry[] {
  return drafts.map(draft => {
    const [line, ...below] = typeof draft === 'string' ? [draft] : draft
    const [, key, text = ''] = /^(?:(\w+)=)?(.*)$/.exec(line) ?? []
    const [, group] = /^## (.*)$/.exec(text) ?? []
    const [, linkTitle, href] = /^(.*) -> (.*)$/.exec(text) ?? []
    const [, pageTitle, path] = /^(.*) <(.*)>$/.exec(text) ?? []
    return {
      key: key ?? path ?? text,
      kind: group !== undefined ? 'group' : href !== undefined ? 'link' : path !== undefined ? 'page' : 'text',
      title: group ?? linkTitle ?? pageTitle ?? text,
      keepsTitle: options.keepsTitle ?? false,
      ...(path !== undefined && { path }),
      ...(href !== undefined && { href }),
      children: tree(below, options),
    }
  })
}

const files = ['README.md', 'a.md', 'b.md', 'c.md', 'd.md', 'g/README.md', 'in tail (2).md', 'remote.md']

function update(
  text: string | undefined,
  { base = [], now, unknown = true }: { base?: Draft[]; now: Draft[]; unknown?: boolean },
): string {
  const has = (path: string) => files.includes(path) || path === 'new.md' || path === 'new/x.md'
  return updateContents({
    text,
    now: tree(now),
    base: tree(base),
    place: { path: 'SUMMARY.md', root: '', has },
    hasAfter: has,
    keepsUnknown: unknown,
    titleOf: () => undefined,
    folders: [],
    maxPages: 100,
  })
}

const before = `# Table of contents

* [Home](README.md)
* [A](a.md "Short")
  * [B](b.md)
    * [C](c.md)

## Group <!-- kept -->

* [G](g/README.md)
`
const base: Draft[] = ['Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>']]

describe('Tables of contents', () => {
  it('A table of contents stays when it lists the entries already', () =>
    expect(update(before, { base, now: base })).toBe(before))

  it.each<[string, Draft[], (text: string) => string]>([
    [
      'gets one line for an added page',
      ['Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>', 'New <new.md>']], ['## Group', 'G <g/README.md>']],
      text => text.replace('    * [C](c.md)\n', '    * [C](c.md)\n    * [New](new.md)\n'),
    ],
    [
      'gets a line at the end of a group',
      ['Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>', 'New <new.md>']],
      text => `${text}* [New](new.md)\n`,
    ],
    [
      'gets a line at the start of a group',
      ['Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'New <new.md>', 'G <g/README.md>']],
      text => text.replace('* [G]', '* [New](new.md)\n* [G]'),
    ],
    [
      'gets a first line',
      ['New <new.md>', 'Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>']],
      text => text.replace('* [Home]', '* [New](new.md)\n* [Home]'),
    ],
    [
      'loses the line of a deleted page',
      [
        ['Short <a.md>', ['B <b.md>', 'C <c.md>']],
        ['## Group', 'G <g/README.md>'],
      ],
      text => text.replace('* [Home](README.md)\n', ''),
    ],
    [
      'loses a deleted page with those below it',
      ['Home <README.md>', ['## Group', 'G <g/README.md>']],
      text => text.replace(/\* \[A\][^]*c\.md\)\n/, ''),
    ],
    [
      'loses a deleted group',
      ['Home <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']]],
      text => text.replace(/\n## Group[^]*$/, ''),
    ],
    [
      'has a moved page at its new place, indented',
      ['Home <README.md>', 'Short <a.md>', ['## Group', ['G <g/README.md>', ['B <b.md>', 'C <c.md>']]]],
      text => text.replace('  * [B](b.md)\n    * [C](c.md)\n', '') + '  * [B](b.md)\n    * [C](c.md)\n',
    ],
    [
      'has two pages in another order',
      [['Short <a.md>', ['B <b.md>', 'C <c.md>']], 'Home <README.md>', ['## Group', 'G <g/README.md>']],
      text => text.replace('* [Home](README.md)\n', '').replace('c.md)\n', 'c.md)\n* [Home](README.md)\n'),
    ],
    [
      'has the new title of a page as its text',
      ['Start [here] <README.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>']],
      text => text.replace('[Home]', '[Start \\[here\\]]'),
    ],
    [
      'has the new title of a page in quotes where it was there',
      ['Home <README.md>', ['Shorter "A" <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>']],
      text => text.replace('"Short"', '"Shorter \\"A\\""'),
    ],
    [
      'has a file that moved',
      ['Home <new.md>', ['Short <a.md>', ['B <b.md>', 'C <c.md>']], ['## Group', 'G <g/README.md>']],
      text => text.replace('* [Home](README.md)', '* [Home](new.md)'),
    ],
    [
      'has links, entries without file and groups',
      [...base, ['## More', 'S -> https://example.org', ['Text', 'New <new.md>']]],
      text => `${text}\n## More\n\n* [S](https://example.org)\n* Text\n  * [New](new.md)\n`,
    ],
    ['ends a group with a heading without text', [...base, 'New <new.md>'], text => `${text}\n##\n\n* [New](new.md)\n`],
  ])('A table of contents %s', (_title, now, expected) => expect(update(before, { base, now })).toBe(expected(before)))

  it('A renamed heading stays in its place in the table of contents', () => {
    const now: Draft[] = [...base.slice(0, 2), ['## Group=## Other', 'G <g/README.md>']]
    expect(
      update('* [Home](README.md)\n\n## Group\n\n* [G](g/README.md)\n', {
        base: ['Home <README.md>', ['k=## Group', 'G <g/README.md>']],
        now: ['Home <README.md>', ['k=## Other', 'G <g/README.md>']],
      }),
    ).toBe('* [Home](README.md)\n\n## Other\n\n* [G](g/README.md)\n')
    expect(now).toHaveLength(3)
  })

  it.each([
    [
      'hyphens and four spaces',
      '- [A](a.md)\n    - [B](b.md)\n',
      '- [A](a.md)\n    - [B](b.md)\n    - [New](new.md)\n',
    ],
    ['CRLF', '* [A](a.md)\r\n  * [B](b.md)\r\n', '* [A](a.md)\r\n  * [B](b.md)\r\n  * [New](new.md)\r\n'],
    ['a BOM', '\ufeff* [A](a.md)\n  * [B](b.md)\n', '\ufeff* [A](a.md)\n  * [B](b.md)\n  * [New](new.md)\n'],
    ['no end of the last line', '* [A](a.md)\n  * [B](b.md)', '* [A](a.md)\n  * [B](b.md)\n  * [New](new.md)'],
    ['trailing spaces', '* [A](a.md)  \n  * [B](b.md) \n', '* [A](a.md)  \n  * [B](b.md) \n  * [New](new.md)\n'],
    ['wide markers', '*   [A](a.md)\n    *   [B](b.md)\n', '*   [A](a.md)\n    *   [B](b.md)\n    *   [New](new.md)\n'],
    ['numbers', '1. [A](a.md)\n   1. [B](b.md)\n', '1. [A](a.md)\n   1. [B](b.md)\n   1. [New](new.md)\n'],
    [
      'comments and empty lines',
      '<!-- top -->\n\n* [A](a.md)\n\n  * [B](b.md)\n\n<!-- end -->\n',
      '<!-- top -->\n\n* [A](a.md)\n\n  * [B](b.md)\n  * [New](new.md)\n\n<!-- end -->\n',
    ],
  ])('An edit of a table of contents keeps %s', (_title, text, expected) => {
    const now: Draft[] = [['A <a.md>', 'B <b.md>', 'New <new.md>']]
    expect(update(text, { base: [['A <a.md>', 'B <b.md>']], now })).toBe(expected)
  })

  it('The first child page in a table of contents is indented by the marker of its parent', () => {
    const now: Draft[] = [['A <a.md>', 'New <new.md>']]
    expect(update('1.  [A](a.md)\n', { base: ['A <a.md>'], now })).toBe('1.  [A](a.md)\n    1.  [New](new.md)\n')
  })

  it('Entries of a table of contents that only the repository has stay after the entries that they follow', () => {
    const text = '* [A](a.md)\n* [Remote](remote.md)\n* [B](b.md)\n'
    const request = { base: ['A <a.md>', 'B <b.md>'], now: ['A <a.md>', 'B <b.md>', 'New <new.md>'] }
    expect(update(text, request)).toBe(`${text}* [New](new.md)\n`)
    expect(update(text, { ...request, unknown: false })).toBe('* [A](a.md)\n* [B](b.md)\n* [New](new.md)\n')
  })

  it('A missing table of contents is written', () => {
    expect(update(undefined, { now: base })).toBe(
      '# Table of contents\n\n* [Home](README.md)\n* [Short](a.md)\n  * [B](b.md)\n    * [C](c.md)\n\n## Group\n\n* [G](g/README.md)\n',
    )
  })

  it('A table of contents whose lines cannot be edited one by one is written again, with the right entries', () => {
    const text = '* * [A](a.md)\n  * [B](b.md)\n'
    const contents = update(text, { base: ['A <a.md>', 'B <b.md>'], now: ['B <b.md>', ['A <a.md>', 'New <new.md>']] })
    const read = outlineOfSummary(readSummary(contents, 'SUMMARY.md'), {
      path: 'SUMMARY.md',
      root: '',
      has: () => true,
    })
    expect(read.entries).toMatchObject([{ path: 'b.md' }, { path: 'a.md', children: [{ path: 'new.md' }] }])
  })

  it.each([
    '- x',
    '# x',
    '1. x',
    'a_b*c`d',
    '<b>',
    '&amp;',
    '\\',
    '[x](y)',
    '> x',
    '+',
    '~~~',
    '=',
    '!x',
    '😀',
    '"q"',
    'C #',
    'a ##b #',
  ])('The title %j in a table of contents is read back unchanged', title => {
    const text = update(undefined, { now: [`k=${title} <a.md>`, `l=${title}`, [`m=## ${title}`]] })
    const read = outlineOfSummary(readSummary(text, 'SUMMARY.md'), { path: 'SUMMARY.md', root: '', has: () => true })
    expect(read.entries).toMatchObject([
      { kind: 'page', title },
      { kind: 'text', title },
      { kind: 'group', title },
    ])
  })

  it('An export without changes leaves a table of contents as it is, whatever its titles are', () => {
    const piece = fc.constantFrom(
      ...'#*_`~[]()<>!\\|&;:-+=.1 "',
      'a',
      'B',
      'é',
      '😀',
      '\n',
      '\t',
      '&amp;',
      '](x)',
      '<!--',
      ' #',
      '# ',
    )
    const title = fc.array(piece, { minLength: 1, maxLength: 8 }).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(
        title.filter(each => each.trim() !== ''),
        each => {
          const now = (name: string): ContentsEntry[] => [
            { key: 'p', kind: 'page', title: name, keepsTitle: false, path: 'a.md', children: [] },
            { key: 't', kind: 'text', title: name, keepsTitle: false, children: [] },
            { key: 'g', kind: 'group', title: name, keepsTitle: false, children: tree(['B <b.md>']) },
          ]
          const place = { path: 'SUMMARY.md', root: '', has: () => true }
          const updateTitles = (text: string | undefined) =>
            updateContents({
              text,
              now: now(each),
              base: text === undefined ? [] : now(each),
              place,
              hasAfter: () => true,
              keepsUnknown: true,
              titleOf: () => undefined,
              folders: [],
              maxPages: 100,
            })
          const contents = updateTitles(undefined)
          const [page, plain, group, ...rest] = outlineOfSummary(readSummary(contents, place.path), place).entries
          const plainTitle = each.replace(/\s+/g, ' ').trim()
          expect([page?.title, plain?.title, group?.title, rest]).toEqual([plainTitle, plainTitle, plainTitle, []])
          expect(updateTitles(contents)).toBe(contents)
        },
      ),
    )
  })

  it.each(['in tail (2).md', 'a%20b.md', 'a#b.md', 'a?b.md', 'x:y.md', '日本 語.md', 'a&amp;b.md', '<a>.md'])(
    'The file %j in a table of contents is read back unchanged',
    path => {
      const text = update(undefined, { now: [`k=T <${path}>`] })
      const read = outlineOfSummary(readSummary(text, 'SUMMARY.md'), { path: 'SUMMARY.md', root: '', has: () => true })
      expect(read.entries).toMatchObject([{ kind: 'page', path }])
    },
  )
})
