import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import type { GitPreviewRow } from './git-preview.entity.ts'
import {
  changeOfPull,
  changesOfHeads,
  isOpenTo,
  isRetried,
  missingIn,
  presentedState,
  sinceOf,
} from './pull-requests.rules.ts'

const one = '1'.repeat(40)
const two = '2'.repeat(40)
const early = new Date('2026-11-26T10:00:00Z')
const late = new Date('2026-11-26T11:00:00Z')
const preview = { number: 7, state: 'open' as const, head: one, changedAt: early }

describe('Heads', () => {
  it.each<[string, (typeof preview)[], [number, string][], number, object[]]>([
    ['nothing', [], [], 0, []],
    ['a new pull request', [], [[8, one]], 7, [{ kind: 'open', number: 8, head: one }]],
    ['one that was there before', [], [[7, one]], 7, []],
    ['one that moved', [preview], [[7, two]], 7, [{ kind: 'move', number: 7, head: two }]],
    ['one that stays', [preview], [[7, one]], 7, []],
    ['one that is gone', [preview], [], 7, [{ kind: 'close', number: 7, state: 'closed' }]],
    ['a closed one that is gone', [{ ...preview, state: 'closed' as never }], [], 7, []],
    ['a closed one that moved', [{ ...preview, state: 'merged' as never }], [[7, two]], 0, []],
    ['one whose head is not there yet', [{ ...preview, head: null as never }], [], 7, []],
    [
      'the first head of one',
      [{ ...preview, head: null as never }],
      [[7, one]],
      7,
      [{ kind: 'move', number: 7, head: one }],
    ],
  ])('Heads show %s', (_case, previews, heads, since, expected) =>
    expect(
      changesOfHeads(
        previews,
        heads.map(([number, head]) => ({ number, head })),
        since,
      ),
    ).toEqual(expected),
  )

  it('The second look at the same heads changes nothing', () => {
    const head = fc.record({ number: fc.integer({ min: 1, max: 9 }), head: fc.constantFrom(one, two) })
    fc.assert(
      fc.property(
        fc.uniqueArray(head, { selector: each => each.number }),
        fc.integer({ min: 0, max: 9 }),
        (heads, since) => {
          const openPreviews = changesOfHeads([], heads, since).map(({ number }) => ({
            ...preview,
            number,
            head: heads.find(each => each.number === number)?.head ?? null,
          }))
          expect(changesOfHeads(openPreviews, heads, since)).toEqual([])
        },
      ),
    )
  })

  it.each([
    [null, [3, 9, 4], 9],
    [null, [], 0],
    [2, [3, 9], 2],
  ])('Since %p with pull requests %p, those above %i are new', (since, numbers, expected) =>
    expect(
      sinceOf(
        { since },
        numbers.map(number => ({ number, head: one })),
      ),
    ).toBe(expected),
  )
})

describe('Descriptions', () => {
  const pull = { number: 7, state: 'open' as const, target: 'main', changedAt: late }
  it.each<[string, Parameters<typeof changeOfPull>[0], Partial<Parameters<typeof changeOfPull>[1]>, unknown]>([
    ['a new pull request', undefined, {}, { kind: 'open', number: 7, head: null }],
    ['one for another branch', undefined, { target: 'next' }, 'nothing'],
    ['a closed one', undefined, { state: 'closed' }, 'nothing'],
    ['the same', preview, {}, 'nothing'],
    ['its end', preview, { state: 'closed' }, { kind: 'close', number: 7, state: 'closed' }],
    ['its merge', preview, { state: 'merged' }, { kind: 'close', number: 7, state: 'merged' }],
    ['its move to another branch', preview, { target: 'next' }, { kind: 'close', number: 7, state: 'closed' }],
    ['its return', { ...preview, state: 'closed' }, {}, { kind: 'reopen', number: 7, head: one }],
    ['a second end', { ...preview, state: 'closed' }, { state: 'closed' }, 'nothing'],
    ['an earlier state', { ...preview, changedAt: late }, { state: 'closed', changedAt: early }, 'outdated'],
    [
      'an end in the same second',
      { ...preview, changedAt: late },
      { state: 'closed' },
      { kind: 'close', number: 7, state: 'closed' },
    ],
  ])('A description shows %s', (_case, existing, changes, expected) =>
    expect(changeOfPull(existing, { ...pull, ...changes }, 'main')).toEqual(expected),
  )

  it('Previews that a list of open pull requests lacks end, but newer ones', () => {
    const previews = [1, 2, 3, 9].map(number => ({ ...preview, number }))
    expect(missingIn([...previews, { ...preview, number: 4, state: 'closed' }], new Set([2]), 8)).toEqual([1, 3])
  })
})

describe('Failed imports', () => {
  const row = {
    ...preview,
    step: 'idle',
    error: { code: 'unreachable', message: '' },
    updatedAt: early,
  } as GitPreviewRow
  it.each<[string, Partial<GitPreviewRow>, boolean]>([
    ['whose git server was away', {}, true],
    ['a moment ago', { updatedAt: late }, false],
    ['by its files', { error: { code: 'invalid_configuration', message: '' } }, false],
    ['that is closed', { state: 'closed' }, false],
    ['that waits already', { step: 'import' }, false],
    ['that did not fail', { error: null }, false],
  ])('A preview %s is imported again: %s', (_case, changes, expected) =>
    expect(isRetried({ ...row, ...changes }, late)).toBe(expected),
  )
})

describe('Access', () => {
  it.each<['open' | 'members' | null, boolean | null, boolean, boolean]>([
    ['open', false, false, true],
    ['open', null, true, true],
    ['members', true, true, false],
    [null, true, true, true],
    [null, true, false, false],
    [null, false, true, false],
    [null, null, true, false],
  ])(
    'With access %p, a public repository %p and a public site %p it is open: %p',
    (access, isRepositoryPublic, site, open) => expect(isOpenTo({ access, isRepositoryPublic }, site)).toBe(open),
  )
})

it.each<[Partial<GitPreviewRow>, string]>([
  [{ step: 'import' }, 'waiting'],
  [{ step: 'importing' }, 'importing'],
  [{ step: 'check', revision: 'r' }, 'checking'],
  [{ step: 'idle', revision: 'r' }, 'ready'],
  [{ step: 'idle', error: { code: 'too_large', message: '' } }, 'failed'],
  [{ step: 'idle' }, 'waiting'],
  [{ state: 'merged', step: 'idle', revision: 'r' }, 'closed'],
  [{ state: 'ended', step: 'idle', error: { code: 'too_large', message: '' } }, 'closed'],
])('A preview with %p is %s', (row, expected) =>
  expect(presentedState({ state: 'open', step: 'idle', error: null, revision: null, ...row })).toBe(expected),
)
