import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { type CommitStatus, type PreviewFacts, statusOf } from './commit-status.rules.ts'
import type { PreviewReport } from './preview-report.rules.ts'

const head = 'c0ffee'.padEnd(40, '0')
const before = 'beef'.padEnd(40, '0')
const address = 'https://docs.example/~/pull-requests/key/'
const fault = {
  fingerprint: 'f',
  rule: 'link' as const,
  severity: 'error' as const,
  file: 'a.md',
  line: 3,
  message: 'The page b.md is not there',
}
const clean: PreviewReport = {
  pages: { added: 1, changed: 1, removed: 0 },
  faults: { errors: 0, warnings: 0, items: [] },
  roundTrip: { state: 'identical', paths: [] },
}
const broken: PreviewReport = { ...clean, faults: { errors: 1, warnings: 0, items: [fault] } }
const open: PreviewFacts = { state: 'open', head, commit: null, revision: null, error: null, report: null, address }
const imported: PreviewFacts = { ...open, commit: head, revision: 'r' }
const checked: PreviewFacts = { ...imported, report: clean }
const error = { code: 'invalid_configuration' as const, message: 'Line 2 is no YAML', path: '.gitbook.yaml' }
const failed: PreviewFacts = { ...open, commit: head, error }

const pending = (description: string, targetUrl: string | null = null) => ({ state: 'pending', description, targetUrl })

describe('The status of the newest commit', () => {
  it.each<[string, PreviewFacts, object]>([
    ['while it waits', open, pending('The preview is being made')],
    ['while an earlier commit is shown', { ...checked, commit: before }, pending('The preview is being made')],
    ['while it is checked', imported, pending('The preview is being checked', address)],
    [
      'without faults',
      checked,
      { state: 'success', description: '2 pages changed, no new faults, byte for byte', targetUrl: address },
    ],
    [
      'of one page that an export would change',
      {
        ...checked,
        report: {
          ...clean,
          pages: { added: 0, changed: 1, removed: 0 },
          roundTrip: { state: 'different', paths: ['a.md'] },
        },
      },
      {
        state: 'success',
        description: '1 page changed, no new faults; an export would change files',
        targetUrl: address,
      },
    ],
    [
      'that could not be exported',
      { ...checked, report: { ...clean, roundTrip: { state: 'unknown', paths: [] } } },
      { state: 'success', description: '2 pages changed, no new faults', targetUrl: address },
    ],
    [
      'with a fault',
      { ...checked, report: broken },
      {
        state: 'failure',
        description: '2 pages changed, 1 new fault: a.md:3, The page b.md is not there',
        targetUrl: address,
      },
    ],
    [
      'with warnings',
      {
        ...checked,
        report: { ...clean, faults: { errors: 0, warnings: 2, items: [{ ...fault, severity: 'warning' }] } },
      },
      { state: 'success', description: '2 pages changed, 2 new warnings, byte for byte' },
    ],
    ['that no site shows', { ...checked, address: null }, { state: 'success', targetUrl: null }],
    [
      'that cannot be read',
      failed,
      { state: 'failure', description: '.gitbook.yaml: Line 2 is no YAML', targetUrl: null },
    ],
    [
      'whose git server is away',
      { ...failed, error: { code: 'unreachable', message: 'The host cannot be reached' } },
      { state: 'error', description: 'The host cannot be reached', targetUrl: null },
    ],
    [
      'that was merged',
      { ...checked, state: 'merged' },
      {
        state: 'success',
        description: '2 pages changed, no new faults, byte for byte. The pull request was merged',
        targetUrl: null,
      },
    ],
    [
      'with a fault that was merged',
      { ...checked, report: broken, state: 'merged' },
      { state: 'failure', targetUrl: null },
    ],
    [
      'that was closed before its check',
      { ...imported, state: 'closed' },
      { state: 'error', description: 'The pull request was closed before the commit was checked', targetUrl: null },
    ],
    ['that was closed before its import', { ...checked, commit: before, state: 'closed' }, { state: 'error' }],
    [
      'of previews that were switched off',
      { ...checked, state: 'ended' },
      { state: 'success', description: '2 pages changed, no new faults, byte for byte. Previews were switched off' },
    ],
    ['that could not be read and was closed', { ...failed, state: 'closed' }, { state: 'failure', targetUrl: null }],
  ])('A commit %s', (_case, preview, expected) => expect(statusOf(preview, head, true)).toMatchObject(expected))
})

describe('The status of an earlier commit', () => {
  it('A commit that is pending ends when a newer one took its place', () =>
    expect(statusOf(checked, before, true)).toEqual({
      state: 'error',
      description: 'A newer commit took its place before it was checked',
      targetUrl: null,
    }))

  it('A commit that was checked keeps its status', () => expect(statusOf(checked, before, false)).toBeUndefined())
})

describe('Every status', () => {
  const facts: fc.Arbitrary<PreviewFacts> = fc.record({
    state: fc.constantFrom('open', 'merged', 'closed', 'ended'),
    head: fc.constantFrom(head, before, null),
    commit: fc.constantFrom(head, before, null),
    revision: fc.constantFrom('r', null),
    error: fc.constantFrom(error, null),
    report: fc.constantFrom(clean, broken, null),
    address: fc.constantFrom(address, null),
  })
  const all = (check: (preview: PreviewFacts, status: CommitStatus) => void) =>
    fc.assert(
      fc.property(facts, fc.constantFrom(head, before), fc.boolean(), (preview, commit, isPending) => {
        const status = statusOf(preview, commit, isPending)
        if (status) check(preview, status)
      }),
      { numRuns: 2_000 },
    )

  it('Success is said only of the newest commit when it was imported and checked without faults', () =>
    all(({ head: newest, commit, error: failure, report }, { state }) => {
      if (state === 'success') expect([newest === commit, failure, report?.faults.errors]).toEqual([true, null, 0])
    }))

  it('A closed pull request is not pending, and leads nowhere', () =>
    all((preview, { state, targetUrl }) => {
      if (preview.state !== 'open') expect([state === 'pending', targetUrl]).toEqual([false, null])
    }))

  it('A description fits every forge', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), message => {
        const { description = '' } = statusOf({ ...failed, error: { ...error, message } }, head, true) ?? {}
        expect([...description].length).toBeLessThanOrEqual(140)
        expect(description).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }),
    ))
})
