import { describe, expect, it } from '@jest/globals'
import { requireRestorable, restorable } from '../../hierarchy/duplicate/duplicate.rules.ts'
import { build, emptyRoot, parseNode } from '../content-map/content-map.ts'
import { isDue, partsOf, sweptUntil } from './garbage.rules.ts'

const now = new Date('2026-01-08T00:00:00Z')
const hash = (digit: string) => digit.repeat(64)

describe('isDue', () => {
  it.each<[string, number | null, boolean]>([
    ['what is not deleted', null, false],
    ['what was deleted just now', 0, false],
    ['what a clock elsewhere says will be deleted', -1000, false],
    ['what was deleted seven days ago', restorable, false],
    ['what was deleted a moment more than seven days ago', restorable + 1, true],
    ['what was deleted a year ago', 365 * 86_400_000, true],
  ])('%s', (_case, ago, due) => {
    const deletedAt = ago === null ? null : new Date(now.getTime() - ago)
    expect(isDue(deletedAt, now)).toBe(due)
    if (deletedAt === null) return
    const restoring = () => requireRestorable(deletedAt, now)
    if (due) expect(restoring).toThrow()
    else expect(restoring).not.toThrow()
  })
})

it('what became garbage less than an hour ago is not freed', () => {
  expect(sweptUntil(now)).toEqual(new Date('2026-01-07T23:00:00Z'))
})

describe('partsOf', () => {
  it('a branch are its children, without the empty one that every space shares', () => {
    expect(
      partsOf({
        branch: [
          [0, hash('a')],
          [7, emptyRoot],
        ],
      }),
    ).toEqual([{ kind: 'node', hash: hash('a') }])
  })

  it('a leaf are the documents and files of its records', () => {
    const leaf = [
      ['page', { document: hash('b'), title: hash('c') }],
      ['file', { hash: hash('d') }],
      ['link', { href: hash('e') }],
    ] as [string, unknown][]
    expect(partsOf({ leaf })).toEqual([
      { kind: 'document', hash: hash('b') },
      { kind: 'blob', hash: hash('d') },
    ])
  })

  it('no hash is what only stands in the place of one', () => {
    expect(
      partsOf({
        leaf: [
          ['a', { hash: '../../etc/passwd', document: 7 }],
          ['b', { hash: hash('A') }],
        ],
      }),
    ).toEqual([])
  })

  it('a map names every node of it, from the root', () => {
    const { root, nodes } = build(Array.from({ length: 2000 }, (_, n) => [`page ${n}`, { id: `page ${n}` }]))
    const reached = new Set([root])
    for (const at of reached) for (const part of partsOf(parseNode(nodes.get(at) ?? ''))) reached.add(part.hash)
    expect([...reached].toSorted()).toEqual([...nodes.keys()].toSorted())
  })
})
