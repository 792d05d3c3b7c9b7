import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { mergeBase } from './merge-base.rules.ts'

/** A history: the parents of each commit. A commit without an entry is not in the clone. */
type History = Record<string, string[]>

const find = (history: History, head: string, branch: string) =>
  mergeBase({ head, branch }, oid => Promise.resolve(history[oid]))

const line: History = { m1: [], m2: ['m1'], m3: ['m2'], m4: ['m3'] }

describe('mergeBase', () => {
  it.each<[string, History, string | undefined]>([
    ['that began from the tip', { ...line, p1: ['m4'], p: ['p1'] }, 'm4'],
    ['that began from an earlier commit', { ...line, p1: ['m2'], p: ['p1'] }, 'm2'],
    ['that merged the branch since', { ...line, p1: ['m1'], p2: ['p1', 'm3'], p: ['p2'] }, 'm3'],
    [
      'whose way to its beginning is shorter than that to its merge',
      { ...line, a: ['m1'], z: ['m3'], b: ['z'], p: ['a', 'b'] },
      'm3',
    ],
    ['that the branch has merged', { ...line, p: ['m2'], m4: ['m3', 'p'] }, 'p'],
    ['of another history', { ...line, p: ['q'], q: [] }, undefined],
    [
      'whose branch has no history in the clone, beyond the parent of its tip',
      { m4: ['m3'], m2: ['m1'], p: ['m2'] },
      undefined,
    ],
    ['that began from the parent of a tip without history', { m4: ['m3'], m3: ['m2'], p: ['m3'] }, 'm3'],
    ['that is not in the clone', line, undefined],
  ])('A pull request %s', async (_case, history, base) => {
    expect(await find(history, 'p', 'm4')).toBe(base)
  })

  it('Of a branch that is a line, it is the newest commit that the pull request is based on', async () => {
    const commits = fc.array(fc.record({ first: fc.nat(), second: fc.option(fc.nat()) }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), commits, async (length, own) => {
        const branch = Array.from({ length }, (_, at) => `m${at}`)
        const history: History = Object.fromEntries(branch.map((oid, at) => [oid, at === 0 ? [] : [`m${at - 1}`]]))
        const all = [...branch]
        for (const { first, second } of own) {
          const parents = [first, ...(second === null ? [] : [second])].map(at => all[at % all.length] ?? '')
          const oid = `p${all.length}`
          history[oid] = parents
          all.push(oid)
        }
        const head = all.at(-1) ?? ''
        const reached = new Set([head])
        for (const oid of reached) for (const parent of history[oid] ?? []) reached.add(parent)
        expect(await find(history, head, `m${length - 1}`)).toBe(branch.findLast(oid => reached.has(oid)))
      }),
      { numRuns: 500 },
    )
  })
})
