import { expect, it } from '@jest/globals'
import { encodeTree, groupByFolder, parseRawTree } from './tree-entries.ts'

it('A tree is written byte for byte as it was read, in the order of git', () => {
  const oid = 'ab'.repeat(20)
  const names = ['a-b', 'a', 'a.b', 'z\u00ff', 'é']
  const entries = names.map((name, at) => ({
    mode: at === 1 ? '40000' : '100664',
    name: Buffer.from(name).toString('latin1'),
    oid,
  }))
  const bytes = encodeTree(entries)
  expect(parseRawTree(bytes).map(({ name }) => Buffer.from(name, 'latin1').toString())).toEqual([
    'a-b',
    'a.b',
    'a',
    'z\u00ff',
    'é',
  ])
  expect(encodeTree(parseRawTree(bytes).toReversed())).toEqual(bytes)
})

it('The changes of a tree are grouped by folder', () => {
  const { files: top, folders } = groupByFolder(
    new Map([
      ['a/b/c.md', 'x'],
      ['a/d.md', null],
      ['e', 'y'],
    ]),
  )
  expect([
    [...top],
    [...(folders.get('a')?.files ?? [])],
    [...(folders.get('a')?.folders.get('b')?.files ?? [])],
  ]).toEqual([[['e', 'y']], [['d.md', null]], [['c.md', 'x']]])
})
