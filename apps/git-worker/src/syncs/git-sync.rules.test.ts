import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  affectsSync,
  isSameSource,
  nextOperation,
  nextPoll,
  nextRetry,
  providerOf,
  requiredMain,
  stateOf,
  syncMessage,
  type SyncState,
  type RemoteState,
} from './git-sync.rules.ts'

type Direction = SyncState['direction']
const now = new Date(Date.UTC(2026, 0, 1))
const after = (date: Date | null) => date && (date.getTime() - now.getTime()) / 1000

describe('nextOperation', () => {
  // The event, the direction of the synchronisation, whether main content moved, the state of the branch, and the next operation.
  it.each<[string, Direction, boolean, RemoteState, string | undefined]>([
    ['main content changed', 'import', true, 'unknown', undefined],
    ['main content changed', 'export', true, 'unknown', 'export'],
    ['main content changed', 'both', true, 'unknown', 'export'],
    ['the branch was imported', 'import', false, 'unknown', undefined],
    ['the branch was imported', 'both', false, 'unknown', undefined],
    ['a push was found', 'import', false, 'ahead', 'import'],
    ['a push was found', 'import', true, 'ahead', 'import'],
    ['a push was found', 'export', false, 'ahead', undefined],
    ['a push was found', 'export', true, 'ahead', 'export'],
    ['a push was found', 'both', false, 'ahead', 'import'],
    ['a push was found where both sides changed', 'both', true, 'ahead', 'export'],
    ['our own commit was found', 'import', false, 'synced', undefined],
    ['our own commit was found', 'export', false, 'synced', undefined],
    ['our own commit was found', 'both', false, 'synced', undefined],
    ['our own commit was found, and an export is outstanding', 'both', true, 'synced', 'export'],
    ['our own commit was found, and edits are not exported', 'import', true, 'synced', undefined],
    ['the export met changes of the branch', 'both', false, 'ahead', 'import'],
    ['the export met changes of the branch, and main content moved on', 'both', true, 'ahead', 'export'],
    ['the export met changes of the branch', 'export', false, 'ahead', undefined],
    ['the export ended', 'export', false, 'unknown', undefined],
    ['the export ended, and main content moved on', 'export', true, 'unknown', 'export'],
    ['it was set up again, and main content is as it was', 'both', false, 'unknown', undefined],
    ['it was set up again, and main content moved', 'both', true, 'unknown', 'export'],
  ])(
    'When %s (direction %s, main content moved: %s, remote %s), the next operation is %s',
    (_event, direction, isMainMoved, remote, expected) => {
      expect(nextOperation({ direction, initial: null, isMainMoved, remote })).toBe(expected)
    },
  )

  it.each(['import', 'export', 'both'] as const)(
    'The first operation of a synchronisation replaces one side by the other, in the direction %s',
    direction => {
      for (const initial of ['import', 'export'] as const)
        for (const remote of ['synced', 'ahead', 'unknown'] as const)
          for (const isMainMoved of [true, false])
            expect(nextOperation({ direction, initial, isMainMoved, remote })).toBe(initial)
    },
  )
})

/** A space and a branch as sets of edits; what is written on one side is never lost when both are synchronised. */
class Model {
  main = new Set<number>()
  branch = new Set<number>()
  mainAt = 0
  branchAt = 0
  syncedMain = 0
  syncedBranch = 0
  operations = 0
  readonly #direction: Direction

  constructor(direction: Direction) {
    this.#direction = direction
  }

  /** Runs what is next until nothing is; returns how many operations that took. */
  settle(remote: RemoteState): number {
    let count = 0
    let state = remote
    for (; count < 10; count++) {
      const isMainMoved = this.mainAt !== this.syncedMain
      const next = nextOperation({ direction: this.#direction, initial: null, isMainMoved, remote: state })
      if (!next) return count
      state = next === 'import' ? this.import() : this.export()
    }
    return count
  }

  push(edit: number): void {
    this.branch.add(edit)
    this.branchAt++
  }

  edit(edit: number): void {
    this.main.add(edit)
    this.mainAt++
  }

  import(): RemoteState {
    this.main = new Set(this.branch)
    this.syncedMain = ++this.mainAt
    this.syncedBranch = this.branchAt
    return 'unknown'
  }

  export(): RemoteState {
    const isPartial = this.branchAt !== this.syncedBranch
    this.branch = new Set([...this.branch, ...this.main])
    this.branchAt++
    this.syncedMain = this.mainAt
    if (!isPartial) this.syncedBranch = this.branchAt
    return isPartial ? 'ahead' : 'unknown'
  }

  poll(): number {
    return this.settle(this.branchAt === this.syncedBranch ? 'synced' : 'ahead')
  }
}

describe('Synchronisation in both directions', () => {
  const steps = fc.array(fc.constantFrom('edit', 'quiet edit', 'push', 'poll'), { maxLength: 40 })

  it('A synchronisation in both directions ends with equal sides and nothing lost, and then does nothing more', () => {
    fc.assert(
      fc.property(steps, steps => {
        const model = new Model('both')
        for (const [at, step] of steps.entries()) {
          if (step === 'poll') model.poll()
          else if (step === 'push') model.push(at)
          else model.edit(at)
          if (step === 'edit') model.settle('unknown')
        }
        model.settle('unknown')
        model.poll()
        const edits = steps.flatMap((step, at) => (step === 'poll' ? [] : [at]))
        expect([[...model.main].sort(), [...model.branch].sort()]).toEqual([[...edits].sort(), [...edits].sort()])
        expect([model.poll(), model.settle('unknown'), model.settle('synced')]).toEqual([0, 0, 0])
      }),
    )
  })
})

describe('requiredMain', () => {
  const sync = { direction: 'both' as const, initial: null, syncedRevision: 'a' }
  it.each([
    ['An import of both directions needs the main content that is synchronised', sync, 'a'],
    [
      'An import that replaces main content the first time needs none',
      { ...sync, initial: 'import' as const },
      undefined,
    ],
    ['An import of a branch that always wins needs none', { ...sync, direction: 'import' as const }, undefined],
  ])('%s', (_case, syncRow, main) => expect(requiredMain(syncRow)).toBe(main))
})

const source = { url: 'https://git.example/a.git', ref: 'refs/heads/main', projectDirectory: '' }

describe('isSameSource', () => {
  it.each([
    [{}, true],
    [{ projectDirectory: './' }, true],
    [{ url: 'https://git.example/b.git' }, false],
    [{ ref: 'refs/heads/other' }, false],
    [{ projectDirectory: 'docs' }, false],
  ])('A source that differs by %j is the same source: %s', (changed, expected) =>
    expect(isSameSource(source, { ...source, ...changed })).toBe(expected),
  )
})

describe('affectsSync', () => {
  const sync = { ...source, id: 'one' }
  const operation = { ...source, syncId: null, options: { force: false, standalone: false } }
  it.each([
    ['of the synchronisation itself affects it', { ...operation, syncId: 'one' }, true],
    ['of an earlier synchronisation does not affect the next one', { ...operation, syncId: 'other' }, false],
    ['requested for the same branch affects the synchronisation', operation, true],
    [
      'requested for another branch does not affect the synchronisation',
      { ...operation, ref: 'refs/heads/other' },
      false,
    ],
    [
      'requested for a folder does not affect the synchronisation of the whole',
      { ...operation, options: { ...operation.options, repoProjectDirectory: 'docs' } },
      false,
    ],
    [
      'that moves no pointer does not affect the synchronisation',
      { ...operation, options: { force: false, standalone: true } },
      false,
    ],
  ])('An operation %s', (_case, operationRow, expected) => expect(affectsSync(sync, operationRow)).toBe(expected))
})

describe('nextPoll', () => {
  it.each<[Direction, number, number, number | null]>([
    ['import', 300, 0, 270],
    ['both', 300, 1, 330],
    ['both', 0, 0.5, null],
    ['export', 300, 0.5, null],
  ])(
    'A synchronisation in the direction %s is polled every %i seconds, with the random number %d after %s seconds',
    (direction, pollInterval, random, expected) =>
      expect(after(nextPoll({ direction, pollInterval }, now, random))).toBe(expected),
  )
})

describe('nextRetry', () => {
  it.each([
    [1, 30],
    [2, 60],
    [7, 1_920],
    [8, 3_600],
    [5_000, 3_600],
  ])('A synchronisation with %i failures is retried after %i seconds', (failures, expected) =>
    expect(after(nextRetry(failures, now, 0.5))).toBe(expected),
  )
})

describe('syncMessage', () => {
  const template = 'docs: {change_request_subject} (#{change_request_number})'
  const last = { number: 7, subject: 'Explain B' }
  const first = { number: 5, subject: 'Explain A' }
  it.each([
    [template, [last], 'docs: Explain B (#7)'],
    [template, [last, first], 'docs: Explain B (#7)\n\nAlso #5: Explain A'],
    [template, [], 'Update content'],
    ['docs', [], 'docs'],
    ['docs', [last], 'docs'],
    [undefined, [last], 'Merge change request #7: Explain B'],
    [undefined, [], 'Update content'],
  ])('The message template %j with the change requests %j gives %j', (messageTemplate, merged, expected) =>
    expect(syncMessage(messageTemplate, merged)).toBe(expected),
  )
})

describe('stateOf', () => {
  it.each([
    [{ initial: null, failures: 0 }, { isDeleted: false, isBusy: false }, 'synchronized'],
    [{ initial: 'import' as const, failures: 0 }, { isDeleted: false, isBusy: false }, 'waiting'],
    [{ initial: null, failures: 2 }, { isDeleted: false, isBusy: false }, 'failing'],
    [{ initial: null, failures: 2 }, { isDeleted: false, isBusy: true }, 'synchronizing'],
    [{ initial: null, failures: 0 }, { isDeleted: true, isBusy: true }, 'paused'],
  ])('A synchronisation with %j and %j has the state %s', (sync, what, expected) =>
    expect(stateOf(sync, what)).toBe(expected),
  )
})

describe('providerOf', () => {
  it.each([
    ['https://github.com/a/b.git', 'github'],
    ['https://gitlab.com/a/b', 'gitlab'],
    ['https://git.example/github.com', undefined],
  ])('The URL %s has the provider %s', (url, expected) => expect(providerOf(url)).toBe(expected))
})
