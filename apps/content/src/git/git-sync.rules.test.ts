import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  concerns,
  isSameSource,
  mustExportFirst,
  nextOperation,
  nextPoll,
  nextRetry,
  providerOf,
  stateOf,
  syncMessage,
  type SyncState,
  type Tip,
} from './git-sync.rules.ts'

type Direction = SyncState['direction']
const now = new Date(Date.UTC(2026, 0, 1))
const after = (date: Date | null) => date && (date.getTime() - now.getTime()) / 1000

describe('nextOperation', () => {
  // The event, the direction of the synchronisation, whether main content moved, the state of the branch, and the next operation.
  it.each<[string, Direction, boolean, Tip, string | undefined]>([
    ['main content changed', 'import', true, 'unread', undefined],
    ['main content changed', 'export', true, 'unread', 'export'],
    ['main content changed', 'both', true, 'unread', 'export'],
    ['the branch was imported', 'import', false, 'unread', undefined],
    ['the branch was imported', 'both', false, 'unread', undefined],
    ['a push was found', 'import', false, 'new', 'import'],
    ['a push was found', 'import', true, 'new', 'import'],
    ['a push was found', 'export', false, 'new', undefined],
    ['a push was found', 'export', true, 'new', 'export'],
    ['a push was found', 'both', false, 'new', 'import'],
    ['a push was found where both sides changed', 'both', true, 'new', 'export'],
    ['our own commit was found', 'import', false, 'known', undefined],
    ['our own commit was found', 'export', false, 'known', undefined],
    ['our own commit was found', 'both', false, 'known', undefined],
    ['our own commit was found, and an export is outstanding', 'both', true, 'known', 'export'],
    ['our own commit was found, and edits are not exported', 'import', true, 'known', undefined],
    ['the export met changes of the branch', 'both', false, 'new', 'import'],
    ['the export met changes of the branch, and main content moved on', 'both', true, 'new', 'export'],
    ['the export met changes of the branch', 'export', false, 'new', undefined],
    ['the export ended', 'export', false, 'unread', undefined],
    ['the export ended, and main content moved on', 'export', true, 'unread', 'export'],
    ['it was set up again, and main content is as it was', 'both', false, 'unread', undefined],
    ['it was set up again, and main content moved', 'both', true, 'unread', 'export'],
  ])('%s: %s, moved %s, tip %s', (_event, direction, isMainMoved, tip, expected) => {
    expect(nextOperation({ direction, initial: null, isMainMoved, tip })).toBe(expected)
  })

  it.each(['import', 'export', 'both'] as const)('the first time one side replaces the other: %s', direction => {
    for (const initial of ['import', 'export'] as const)
      for (const tip of ['known', 'new', 'unread'] as const)
        for (const isMainMoved of [true, false])
          expect(nextOperation({ direction, initial, isMainMoved, tip })).toBe(initial)
  })
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
  settle(tip: Tip): number {
    let [count, known] = [0, tip]
    for (; count < 10; count++) {
      const isMainMoved = this.mainAt !== this.syncedMain
      const next = nextOperation({ direction: this.#direction, initial: null, isMainMoved, tip: known })
      if (!next) return count
      known = next === 'import' ? this.import() : this.export()
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

  import(): Tip {
    this.main = new Set(this.branch)
    this.syncedMain = ++this.mainAt
    this.syncedBranch = this.branchAt
    return 'unread'
  }

  export(): Tip {
    const isPartial = this.branchAt !== this.syncedBranch
    this.branch = new Set([...this.branch, ...this.main])
    this.branchAt++
    this.syncedMain = this.mainAt
    if (!isPartial) this.syncedBranch = this.branchAt
    return isPartial ? 'new' : 'unread'
  }

  poll(): number {
    return this.settle(this.branchAt === this.syncedBranch ? 'known' : 'new')
  }
}

describe('a synchronisation in both directions', () => {
  const steps = fc.array(fc.constantFrom('edit', 'quiet edit', 'push', 'poll'), { maxLength: 40 })

  it('ends with both sides the same and nothing lost, and does nothing more however often it is asked', () => {
    fc.assert(
      fc.property(steps, steps => {
        const model = new Model('both')
        for (const [at, step] of steps.entries()) {
          if (step === 'poll') model.poll()
          else if (step === 'push') model.push(at)
          else model.edit(at)
          if (step === 'edit') model.settle('unread')
        }
        model.settle('unread')
        model.poll()
        const written = steps.flatMap((step, at) => (step === 'poll' ? [] : [at]))
        expect([[...model.main].sort(), [...model.branch].sort()]).toEqual([[...written].sort(), [...written].sort()])
        expect([model.poll(), model.settle('unread'), model.settle('known')]).toEqual([0, 0, 0])
      }),
    )
  })
})

describe('mustExportFirst', () => {
  const sync = { direction: 'both' as const, initial: null, syncedRevision: 'a' }
  it.each([
    ['main content moved while the branch was imported', sync, 'b', true],
    ['main content is as it was', sync, 'a', false],
    ['the branch replaces main content the first time', { ...sync, initial: 'import' as const }, 'b', false],
    ['the branch always wins', { ...sync, direction: 'import' as const }, 'b', false],
  ])('%s', (_case, given, main, expected) => expect(mustExportFirst(given, main)).toBe(expected))
})

const source = { url: 'https://git.example/a.git', ref: 'refs/heads/main', projectDirectory: '' }

describe('isSameSource', () => {
  it.each([
    [{}, true],
    [{ projectDirectory: './' }, true],
    [{ url: 'https://git.example/b.git' }, false],
    [{ ref: 'refs/heads/other' }, false],
    [{ projectDirectory: 'docs' }, false],
  ])('with %j: %s', (changed, expected) => expect(isSameSource(source, { ...source, ...changed })).toBe(expected))
})

describe('concerns', () => {
  const sync = { ...source, id: 'one' }
  const operation = { ...source, syncId: null, options: { force: false, standalone: false } }
  it.each([
    ['its own operation', { ...operation, syncId: 'one' }, true],
    ['that of an earlier synchronisation', { ...operation, syncId: 'other' }, false],
    ['a requested one of the same branch', operation, true],
    ['a requested one of another branch', { ...operation, ref: 'refs/heads/other' }, false],
    ['one of a folder', { ...operation, options: { ...operation.options, repoProjectDirectory: 'docs' } }, false],
    ['one that moves nothing', { ...operation, options: { force: false, standalone: true } }, false],
  ])('%s', (_case, given, expected) => expect(concerns(sync, given)).toBe(expected))
})

describe('nextPoll', () => {
  it.each<[Direction, number, number, number | null]>([
    ['import', 300, 0, 270],
    ['both', 300, 1, 330],
    ['both', 0, 0.5, null],
    ['export', 300, 0.5, null],
  ])('%s every %i seconds, at random %d', (direction, pollInterval, random, expected) =>
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
  ])('after %i failures: %i seconds', (failures, expected) =>
    expect(after(nextRetry(failures, now, 0.5))).toBe(expected),
  )
})

describe('syncMessage', () => {
  const template = 'docs: {change_request_subject} (#{change_request_number})'
  const [last, first] = [
    { number: 7, subject: 'Explain B' },
    { number: 5, subject: 'Explain A' },
  ]
  it.each([
    [template, [last], 'docs: Explain B (#7)'],
    [template, [last, first], 'docs: Explain B (#7)\n\nAlso #5: Explain A'],
    [template, [], 'Update content'],
    ['docs', [], 'docs'],
    ['docs', [last], 'docs'],
    [undefined, [last], 'Merge change request #7: Explain B'],
    [undefined, [], 'Update content'],
  ])('%j of %j: %j', (given, merged, expected) => expect(syncMessage(given, merged)).toBe(expected))
})

describe('stateOf', () => {
  it.each([
    [{ initial: null, failures: 0 }, { isDeleted: false, isBusy: false }, 'synchronized'],
    [{ initial: 'import' as const, failures: 0 }, { isDeleted: false, isBusy: false }, 'waiting'],
    [{ initial: null, failures: 2 }, { isDeleted: false, isBusy: false }, 'failing'],
    [{ initial: null, failures: 2 }, { isDeleted: false, isBusy: true }, 'synchronizing'],
    [{ initial: null, failures: 0 }, { isDeleted: true, isBusy: true }, 'paused'],
  ])('%j, %j: %s', (sync, what, expected) => expect(stateOf(sync, what)).toBe(expected))
})

describe('providerOf', () => {
  it.each([
    ['https://github.com/a/b.git', 'github'],
    ['https://gitlab.com/a/b', 'gitlab'],
    ['https://git.example/github.com', undefined],
  ])('%s: %s', (url, expected) => expect(providerOf(url)).toBe(expected))
})
