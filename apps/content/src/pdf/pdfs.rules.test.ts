import { describe, expect, it } from '@jest/globals'
import { isExtensionDue, pdfState } from './pdfs.rules.ts'

const now = new Date('2026-01-08T12:00:00Z')
const minute = 60_000
const hour = 3_600_000
const day = 86_400_000
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const row = { key: 'k', spaceId: 's', hash: null, fault: null, leasedUntil: after(-day), expiresAt: after(day) }

describe('the state of a PDF', () => {
  it.each([
    ['that nobody asked for', undefined, 'free'],
    ['that is made', { ...row, hash: 'a' }, 'made'],
    ['that is gone before its URL is', { ...row, hash: 'a', expiresAt: after(2 * hour) }, 'free'],
    ['that a process makes', { ...row, leasedUntil: after(1) }, 'leased'],
    ['whose process is gone', { ...row, leasedUntil: after(-1) }, 'free'],
    ['that cannot be made', { ...row, fault: 'too long', expiresAt: after(minute) }, 'failed'],
    ['that could not be made before', { ...row, fault: 'too long', expiresAt: after(-1) }, 'free'],
  ] as const)('A PDF %s has its state', (_case, existingRow, state) => expect(pdfState(existingRow, now)).toBe(state))
})

it.each([
  ['the day after it was made', 6 * day - 1, true],
  ['on the day it was made', 6 * day, false],
])('A use of a PDF %s prolongs its life: %s', (_case, left, prolonged) =>
  expect(isExtensionDue({ ...row, expiresAt: after(left) }, now)).toBe(prolonged),
)
