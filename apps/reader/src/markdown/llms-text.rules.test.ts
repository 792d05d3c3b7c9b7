import { describe, expect, it } from '@jest/globals'
import type { Page, Revision } from '../api/types.ts'
import { pageTree } from '../loaders/page-tree.rules.ts'
import { listedGroups, llmsText, type ListedGroup, type PageList } from './llms-text.rules.ts'

const document = (title: string, rest: object = {}) =>
  ({ type: 'document', id: `id ${title}`, title, path: title.toLowerCase(), pages: [], ...rest }) as unknown as Page
const group = (title: string, pages: Page[]) =>
  ({ type: 'group', id: `id ${title}`, title, path: title.toLowerCase(), pages }) as unknown as Page
const treeOf = (...pages: Page[]) => pageTree({ pages, files: [] } as unknown as Revision)
const urlOf = (path: string) => `https://docs.test/${path}.md`
const listed = (title: string, depth = 0) => ({ title, url: urlOf(title.toLowerCase()), description: undefined, depth })

describe('the groups of a list', () => {
  it.each<[string, Page[], ListedGroup[]]>([
    [
      'pages without a group',
      [document('A'), document('B')],
      [{ title: undefined, pages: [listed('A'), listed('B')] }],
    ],
    [
      'pages below a page',
      [document('A', { pages: [document('B')] })],
      [{ title: undefined, pages: [listed('A'), listed('B', 1)] }],
    ],
    [
      'pages before and in groups',
      [document('A'), group('G', [document('B', { pages: [document('C')] })]), group('H', [document('D')])],
      [
        { title: undefined, pages: [listed('A')] },
        { title: 'G', pages: [listed('B'), listed('C', 1)] },
        { title: 'H', pages: [listed('D')] },
      ],
    ],
    ['no page that is hidden or not found', [document('A', { hidden: true }), document('B', { noIndex: true })], []],
    ['no group without pages that show', [group('G', [document('A', { hidden: true })])], []],
  ])('The groups of a list have %s', (_case, pages, expected) => {
    expect(listedGroups(treeOf(...pages), urlOf)).toEqual(expected)
  })
})

const list = (parts: Partial<PageList>): PageList => ({
  title: 'Docs',
  summary: undefined,
  fullTextUrl: 'https://docs.test/llms-full.txt',
  sections: [{ title: 'Guides', groups: [{ title: undefined, pages: [listed('A')] }] }],
  variants: [],
  pagesTitle: 'Pages',
  ...parts,
})
const intro = 'Each link leads to a page as Markdown. [All pages as one text](https://docs.test/llms-full.txt).'
const a = '- [A](https://docs.test/a.md)'

describe('a list of pages for agents', () => {
  it.each<[string, Partial<PageList>, string[]]>([
    ['pages of the only section below their own headings', {}, ['# Docs', intro, '## Pages', a]],
    ['a summary on one line', { summary: 'How to\n use it' }, ['# Docs', '> How to use it', intro, '## Pages', a]],
    [
      'sections with groups, and sections listed elsewhere',
      {
        sections: [
          {
            title: 'Guides',
            groups: [
              { title: undefined, pages: [listed('A')] },
              { title: 'More', pages: [listed('B')] },
            ],
          },
          { title: 'API', url: 'https://docs.test/api/llms.txt' },
        ],
      },
      [
        '# Docs',
        intro,
        '## Guides',
        a,
        '### More',
        '- [B](https://docs.test/b.md)',
        '## API',
        '- [Pages of this section](https://docs.test/api/llms.txt)',
      ],
    ],
    [
      'other variants as optional',
      { variants: [{ title: 'v1', url: 'https://docs.test/v1/llms.txt' }] },
      ['# Docs', intro, '## Pages', a, '## Optional', '- [v1](https://docs.test/v1/llms.txt)'],
    ],
    [
      'descriptions, depth, and titles that are no syntax',
      {
        sections: [
          {
            title: 'Guides',
            groups: [
              { title: 'G', pages: [{ ...listed('A', 1), title: 'A [b]\nc', description: 'Why\nnot ![](x) `y` <b>' }] },
            ],
          },
        ],
      },
      ['# Docs', intro, '## G', '  - [A \\[b\\] c](https://docs.test/a.md): Why not !\\[\\](x) \\`y\\` \\<b>'],
    ],
    [
      'headings that are no syntax, and names of variables as they are',
      { title: 'Use `my_var`', summary: '[x](y) snake_case _not_' },
      ['# Use \\`my_var\\`', '> \\[x\\](y) snake_case \\_not\\_', intro, '## Pages', a],
    ],
    ['nothing of an empty site', { sections: [{ title: 'Guides', groups: [] }] }, ['# Docs', intro]],
  ])('A list of pages for agents has %s', (_case, parts, expected) => {
    expect(llmsText(list(parts))).toBe(`${expected.join('\n\n')}\n`)
  })
})
