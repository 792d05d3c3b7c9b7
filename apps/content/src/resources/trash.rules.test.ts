import { describe, expect, it } from '@jest/globals'
import { isPurgeable, requireRestorable, restorePeriod } from './trash.rules.ts'

const now = new Date('2026-01-08T00:00:00Z')

describe('requireRestorable', () => {
  it.each<[string, number, boolean]>([
    ['just now', 0, true],
    ['seven days ago', restorePeriod, true],
    ['a moment more than seven days ago', restorePeriod + 1, false],
  ])('A restore of what was deleted %s is allowed within seven days', (_case, ago, allowed) => {
    const attempt = () => requireRestorable(new Date(now.getTime() - ago), now)
    if (allowed) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('more than seven days ago')
  })
})

describe('isPurgeable', () => {
  it.each<[string, number | null, boolean]>([
    ['what is not deleted', null, false],
    ['what was deleted just now', 0, false],
    ['what a clock elsewhere says will be deleted', -1000, false],
    ['what was deleted seven days ago', restorePeriod, false],
    ['what was deleted a moment more than seven days ago', restorePeriod + 1, true],
    ['what was deleted a year ago', 365 * 86_400_000, true],
  ])('A purge after seven days: %s', (_case, ago, due) => {
    const deletedAt = ago === null ? null : new Date(now.getTime() - ago)
    expect(isPurgeable(deletedAt, now)).toBe(due)
    if (deletedAt === null) return
    const restoring = () => requireRestorable(deletedAt, now)
    if (due) expect(restoring).toThrow()
    else expect(restoring).not.toThrow()
  })
})
