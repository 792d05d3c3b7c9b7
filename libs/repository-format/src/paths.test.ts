import { describe, expect, it } from '@jest/globals'
import { invalidNameReason, joinInside, linkedPath, numberedPath, pathFault } from './paths.ts'

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

describe('a numbered path', () => {
  it.each([
    ['a/b.md', 0, 'a/b.md'],
    ['a/b.md', 1, 'a/b-1.md'],
    ['a.b/c', 2, 'a.b/c-2'],
    ['a.tar.gz', 10, 'a.tar-10.gz'],
    ['a/.b', 1, 'a/-1.b'],
    ['a.', 1, 'a.-1'],
  ])('of %s and %d is %s', (path, number, expected) => expect(numberedPath(path, number)).toBe(expected))
})

it.each([
  [['..'], 'leads out of the repository'],
  [['a', '../../b'], 'leads out of the repository'],
  [['a', 'b\nc'], 'has a name that no repository can hold'],
  [['..a', '.git'], 'has a name that no repository can hold'],
])('%j %s', (parts, fault) => {
  expect(joinInside(...parts)).toBeUndefined()
  expect(pathFault(parts)).toBe(fault)
})
