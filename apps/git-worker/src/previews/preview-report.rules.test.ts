import { describe, expect, it } from '@jest/globals'
import type { Finding } from '@recto/repository-check'
import { changedPages, maxFaults, reportOf } from './preview-report.rules.ts'

const fault = (fingerprint: string, severity: Finding['severity']): Finding => ({
  fingerprint,
  rule: 'link',
  severity,
  file: 'a.md',
  message: 'The page is not there',
})
const unchanged = {
  pages: { added: 0, changed: 0, removed: 0 },
  roundTrip: { state: 'identical' as const, paths: [] },
}

describe('Changed pages', () => {
  it.each<[string, [string, string][], [string, string][], number[]]>([
    ['nothing', [['a', '1']], [['a', '1']], [0, 0, 0]],
    ['a new page', [], [['a', '1']], [1, 0, 0]],
    ['another text', [['a', '1']], [['a', '2']], [0, 1, 0]],
    ['a page that is gone', [['a', '1']], [], [0, 0, 1]],
    ['a page that moves', [['a', '1']], [['b', '1']], [1, 0, 1]],
  ])('A change is %s', (_case, base, head, [added, changed, removed]) =>
    expect(changedPages(new Map(base), new Map(head))).toEqual({ added, changed, removed }),
  )
})

describe('Reports', () => {
  it('A report has errors first, each in the order of its faults, and counts those that it leaves out', () => {
    const many = Array.from({ length: 60 }, (_each, at) => fault(String(at), at % 2 ? 'error' : 'warning'))
    const { faults } = reportOf(many, unchanged)
    expect([faults.errors, faults.warnings, faults.items.length]).toEqual([30, 30, maxFaults])
    const prints = faults.items.map(({ fingerprint }) => Number(fingerprint))
    expect([prints.slice(0, 3), prints.slice(30, 33)]).toEqual([
      [1, 3, 5],
      [0, 2, 4],
    ])
  })
})
