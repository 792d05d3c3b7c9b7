import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { planPull, type PullSides } from './plan-pull.rules.ts'

type Case = [
  title: string,
  folder: string | undefined,
  pulled: string | undefined,
  next: string | null,
  outcome: string,
]

/** The sides of a pull with one file; null deletes it in the space. */
function sidesOf(folder: string | undefined, pulled: string | undefined, next: string | null): PullSides {
  const one = (oid: string | undefined | null) => new Map(typeof oid === 'string' ? [['a.md', oid]] : [])
  return {
    folder: one(folder),
    pulled: one(pulled),
    writes: one(next),
    deletes: new Set(next === null ? ['a.md'] : []),
    owned: new Set(next === null ? [] : ['a.md']),
    current: one(next),
  }
}

function outcomeOf(sides: PullSides, force = false): string {
  const { writes, deletes, conflicts } = planPull(sides, { force })
  return [
    ...[...writes].map(([path, oid]) => `write ${path} ${oid}`),
    ...deletes.map(path => `delete ${path}`),
    ...conflicts.map(path => `conflict ${path}`),
  ].join()
}

describe('a pull of a file that', () => {
  it.each<Case>([
    ['is new in the space', undefined, undefined, '2', 'write a.md 2'],
    ['only the space changed', '1', '1', '2', 'write a.md 2'],
    ['both changed alike', '2', '1', '2', ''],
    ['both changed', '3', '1', '2', 'conflict a.md'],
    ['the folder deleted and the space changed', undefined, '1', '2', 'conflict a.md'],
    ['no pull wrote and the space has otherwise', '3', undefined, '2', 'conflict a.md'],
    ['the folder had before', '2', undefined, '2', ''],
    ['the space deleted', '1', '1', null, 'delete a.md'],
    ['the space deleted and the folder changed', '3', '1', null, 'conflict a.md'],
    ['both deleted', undefined, '1', null, ''],
    ['the space deleted and no pull wrote', '3', undefined, null, ''],
  ])('%s', (_title, folder, pulled, next, outcome) => {
    const sides = sidesOf(folder, pulled, next)
    expect(outcomeOf(sides)).toBe(outcome)
    const forced = next === null ? 'delete a.md' : `write a.md ${next}`
    expect(outcomeOf(sides, true)).toBe(outcome.startsWith('conflict') ? forced : outcome)
  })

  it('A file that the pull leaves alone keeps its state, and one that was there before gets one', () => {
    const sides = sidesOf('3', '1', '2')
    const unplanned = { ...sides, writes: new Map<string, string>(), current: new Map([['a.md', '1']]) }
    expect([...planPull(unplanned, { force: false }).pulled]).toEqual([['a.md', '1']])
    const first = { ...sidesOf('2', undefined, '2'), writes: new Map<string, string>() }
    expect([...planPull(first, { force: false }).pulled]).toEqual([['a.md', '2']])
  })

  it('A pull without conflicts, applied and repeated, changes nothing, and never deletes what no pull wrote', () => {
    const oid = fc.constantFrom('1', '2', '3')
    const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), oid).map(files => new Map(Object.entries(files)))
    fc.assert(
      fc.property(tree, tree, tree, (folder, pulled, next) => {
        const owned = new Set(next.keys())
        const deletes = new Set([...pulled.keys()].filter(path => !next.has(path)))
        const sides = { folder, pulled, writes: next, deletes, owned, current: next }
        const plan = planPull(sides, { force: true })
        for (const path of plan.deletes) expect(pulled.has(path)).toBe(true)
        const after = new Map([...folder, ...plan.writes])
        for (const path of plan.deletes) after.delete(path)
        const again = planPull({ ...sides, folder: after, pulled: plan.pulled, deletes: new Set() }, { force: false })
        expect([again.writes.size, again.deletes, again.conflicts]).toEqual([0, [], []])
      }),
    )
  })
})
