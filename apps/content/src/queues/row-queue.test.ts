import { expect, it } from '@jest/globals'
import { decideAttempt } from './row-queue.ts'

const [leaseLength, maxAttempts] = [20_000, 3]
const now = new Date('2025-01-01T00:00:00Z')
const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)

it.each([
  ['queued', 0, null, 'take'],
  ['queued', maxAttempts - 1, null, 'take'],
  ['queued', maxAttempts, null, 'give-up'],
  ['running', 1, before(leaseLength - 1), 'leave'],
  ['running', 1, before(leaseLength), 'take'],
  ['running', maxAttempts, before(leaseLength), 'give-up'],
  ['running', maxAttempts, before(1), 'leave'],
  ['success', 1, null, 'leave'],
  ['failure', 0, null, 'leave'],
] as const)('a row that is %s after %i attempts, last alive at %p: %s', (state, attempts, heartbeatAt, decision) =>
  expect(decideAttempt({ state, attempts, heartbeatAt }, { now, leaseLength, most: maxAttempts })).toBe(decision),
)
