import { describe, expect, it } from '@jest/globals'
import { isContentFile } from './file-kinds.ts'
import { invalidNameReason, joinInside, linkedPath } from './paths.ts'
import { referencedPaths } from './references.ts'
import { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'

describe('a name of a tree', () => {
  it.each([
    '',
    '.',
    '..',
    '...',
    '.. ',
    'a/b',
    'a\\b',
    'a\0',
    'a\nb',
    '.git',
    '.GIT',
    '.Git',
    '.git.',
    '.git ',
    '.git. .',
    'git~1',
    'GIT~2',
    '.g\u200cit',
    '\ufeff.git',
    '.git\u200d',
    '.gｉt',
    '.git::$INDEX_ALLOCATION',
    '.\u200b.',
  ])('%j is refused', name => expect(invalidNameReason(name)).toEqual(expect.any(String)))
  it.each([
    '.gitbook',
    '.gitbook.yaml',
    '.gitignore',
    '.github',
    'git',
    'a.git',
    'in_tail (2).gif',
    'über.md',
    '日本.md',
    '..a',
    'git~x',
    '.well-known',
  ])('%j is valid', name => expect(invalidNameReason(name)).toBeUndefined())
})

describe('a path inside the repository', () => {
  it.each([
    [['docs', '../a.md'], 'a.md'],
    [['', './a//b/'], 'a/b'],
    [['docs', '..'], ''],
    [['', '/a'], 'a'],
    [['docs', '../../a.md'], undefined],
    [['', '..'], undefined],
    [['', 'a\\..\\b'], undefined],
    [['', 'a\0b'], undefined],
    [['a', '.git/config'], undefined],
    [['', 'c:/x'], undefined],
  ])('%j is %s', (parts, expected) => expect(joinInside(...parts)).toBe(expected))

  it.each([
    ['../a%20b.md#x', 'docs', 'a b.md'],
    ['a.md?x=1', '', 'a.md'],
    ['/a.md', 'docs', 'a.md'],
    ['%zz.md', '', '%zz.md'],
    ['https://x.org/a.md', '', undefined],
    ['//x.org/a.md', '', undefined],
    ['#a', '', undefined],
    ['%2e%2e/%2e%2e/a', '', undefined],
  ])('the link %s in "%s" leads to %s', (target, folder, expected) => expect(linkedPath(target, folder)).toBe(expected))
})

describe('a slug', () => {
  it.each([
    ['guide/setup.md', '', 'setup'],
    ['guide/README.md', '', 'guide'],
    ['README.md', '', 'readme'],
    ['docs/README.md', 'docs', 'readme'],
    ['docs/a/readme.md', 'docs', 'a'],
    ['update-from-v0.12.md', '', 'update-from-v0.12'],
    ['monitor_agent.md', '', 'monitor_agent'],
    ['In Tail (2).md', '', 'in-tail-2'],
    ['日本 語.md', '', '日本-語'],
    ['(((.md', '', 'page'],
  ])('of the file %s below "%s" is %s', (path, root, slug) => expect(slugOfFile(path, root)).toBe(slug))

  it.each([
    ['This is a Group', 'this-is-a-group'],
    ['Élan & Vital (v3)', 'elan-vital-v3'],
    ['日本', '日本'],
    ['!!!', 'page'],
  ])('of the title %s is %s', (title, slug) => expect(slugOfTitle(title)).toBe(slug))

  it('is unique among siblings', () => {
    const slug = slugSet()
    expect(['a', 'a', 'a-1', 'a', 'b'].map(slug)).toEqual(['a', 'a-1', 'a-1-1', 'a-2', 'b'])
  })
})

it('references are found in every syntax of the dialect', () => {
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
])('%s is a file of the space: %s', (path, expected) =>
  expect(isContentFile(path, { root: '', referenced: new Set(['referred.docx']) })).toBe(expected),
)
