import { expect, it } from '@jest/globals'
import { isContentFile } from './file-kinds.ts'
import { referencedPaths } from './references.ts'

it('References are found in every syntax of the dialect', () => {
  const text = [
    '![](../.gitbook/assets/in_tail%20%282%29.gif) ![x](<a b.png> "title") [zip](files/x(1).zip "A zip")',
    '<img src="i.svg"><picture><source srcset="dark.png"></picture> {% file src="./manual.docx" %} {% embed url="https://x.org/y" %}',
    '[ref]: ref.bin',
  ].join('\n')
  expect([...referencedPaths(text, 'docs/page.md')].sort()).toEqual([
    '.gitbook/assets/in_tail (2).gif',
    'docs/a b.png',
    'docs/dark.png',
    'docs/files/x(1).zip',
    'docs/i.svg',
    'docs/manual.docx',
    'docs/ref.bin',
  ])
})

it.each([
  ['.gitbook/assets/any.js', true],
  ['images/x.png', true],
  ['x.PDF', true],
  ['v.mp4', true],
  ['referred.docx', true],
  ['book.json', false],
  ['LICENSE', false],
  ['unlisted.md', false],
  ['.github/x.png', false],
  ['images/logo.ai', false],
])('Whether %s is a file of the space: %s', (path, expected) =>
  expect(isContentFile(path, { root: '', referenced: new Set(['referred.docx']) })).toBe(expected),
)
