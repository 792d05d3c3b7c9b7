import { ConvertFailure } from '@recto/convert'
import { Failure } from '@recto/operation'
import { WorkerFailure } from '@recto/worker-pool'
import { expect, it } from '@jest/globals'
import { decideAttempt, importError, leaseLength, maxAttempts, shownUrl } from './imports.rules.ts'

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
] as const)('an import that is %s after %i attempts, last alive at %p: %s', (state, attempts, heartbeatAt, decision) =>
  expect(decideAttempt({ state, attempts, heartbeatAt }, now)).toBe(decision),
)

it.each([
  [new ConvertFailure('invalid', 'x'), 'invalid_request'],
  [new ConvertFailure('unreachable', 'x'), 'invalid_request'],
  [new ConvertFailure('too_large', 'x'), 'too_large'],
  [new Failure('unavailable', 'x'), 'unavailable'],
  [new WorkerFailure('timeout'), 'timeout'],
  [new WorkerFailure('memory'), 'too_large'],
  [new WorkerFailure('depth'), 'too_large'],
  [new WorkerFailure('closed'), undefined],
  [new Failure('internal', 'x'), undefined],
  [new TypeError('x'), undefined],
])('%p is told as %s', (error, code) => expect(importError(error)?.code).toBe(code))

it.each([
  ['https://x.example/a?token=b#c', 'https://x.example/a'],
  ['http://u:p@x.example', 'http://x.example/'],
])('%s is shown as %s', (url, shown) => expect(shownUrl(url)).toBe(shown))
