import { describe, expect, it } from '@jest/globals'
import { build, emptyRoot, parseNode } from '../content-map/content-map.ts'
import { garbageCutoff, referencesOf } from './garbage.rules.ts'

const now = new Date('2026-01-08T00:00:00Z')
const hash = (digit: string) => digit.repeat(64)

it('Garbage of the last hour is not freed', () => {
  expect(garbageCutoff(now)).toEqual(new Date('2026-01-07T23:00:00Z'))
})

describe('referencesOf', () => {
  it('referencesOf returns the children of a branch, without the empty root that every space shares', () => {
    expect(
      referencesOf({
        branch: [
          [0, hash('a')],
          [7, emptyRoot],
        ],
      }),
    ).toEqual([{ kind: 'node', hash: hash('a') }])
  })

  it("referencesOf returns the documents and files of a leaf's records", () => {
    const leaf = [
      ['page', { document: hash('b'), title: hash('c') }],
      ['file', { hash: hash('d') }],
      ['link', { href: hash('e') }],
    ] as [string, unknown][]
    expect(referencesOf({ leaf })).toEqual([
      { kind: 'document', hash: hash('b') },
      { kind: 'blob', hash: hash('d') },
    ])
  })

  it('referencesOf ignores values that are not hashes', () => {
    expect(
      referencesOf({
        leaf: [
          ['a', { hash: '../../etc/passwd', document: 7 }],
          ['b', { hash: hash('A') }],
        ],
      }),
    ).toEqual([])
  })

  it('referencesOf reaches every node of a map from its root', () => {
    const { root, nodes } = build(Array.from({ length: 2000 }, (_, n) => [`page ${n}`, { id: `page ${n}` }]))
    const reachedHashes = new Set([root])
    for (const at of reachedHashes)
      for (const part of referencesOf(parseNode(nodes.get(at) ?? ''))) reachedHashes.add(part.hash)
    expect([...reachedHashes].toSorted()).toEqual([...nodes.keys()].toSorted())
  })
})
