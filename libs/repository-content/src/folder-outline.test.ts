import { expect, it } from '@jest/globals'
import { outlineOfFolders } from './folder-outline.ts'
import type { OutlineEntry } from './outline.ts'

const draw = (entries: OutlineEntry[]): unknown[] =>
  entries.map(entry => {
    const name = entry.kind === 'page' ? entry.path : entry.kind === 'text' ? `(${entry.title})` : '?'
    return 'children' in entry && entry.children.length > 0 ? [name, ...draw(entry.children)] : name
  })

it.each([
  [
    'sorts by name, numbers as numbers, home first',
    ['b.md', 'a10.md', 'a9.md', 'README.md'],
    { root: '', readme: 'README.md' },
    ['README.md', 'a9.md', 'a10.md', 'b.md'],
  ],
  [
    'shows a folder by its README',
    ['z.md', 'g/x.md', 'g/README.md'],
    { root: '', readme: 'README.md' },
    [['g/README.md', 'g/x.md'], 'z.md'],
  ],
  [
    'shows a folder without README by its name',
    ['g/h/x.md'],
    { root: '', readme: 'README.md' },
    [['(g)', ['(h)', 'g/h/x.md']]],
  ],
  [
    'starts at the content root',
    ['docs/a.md', 'docs/README.md'],
    { root: 'docs', readme: 'docs/README.md' },
    ['docs/README.md', 'docs/a.md'],
  ],
  [
    'can have another first page',
    ['start.md', 'README.md', 'a.md'],
    { root: '', readme: 'start.md' },
    ['start.md', 'a.md', 'README.md'],
  ],
  [
    'omits hidden folders and other files',
    ['.github/x.md', '.gitbook/includes/y.md', 'node_modules/p/README.md', 'img.png', 'a.markdown'],
    { root: '', readme: 'README.md' },
    ['a.markdown'],
  ],
] as const)('Without SUMMARY.md the page tree %s', (...[, paths, place, expected]) =>
  expect(draw(outlineOfFolders([...paths], place).entries)).toEqual(expected),
)
