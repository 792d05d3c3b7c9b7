import { expect, it } from '@jest/globals'
import type { ProofFault } from './custom-hostname.entity.ts'
import { messageOf, statusOf } from './hostname-words.rules.ts'

const claim = { hostname: 'docs.test.example', token: 'ours' }
const name = '_recto.docs.test.example'
const value = 'recto-site-verification=ours'

it.each<[ProofFault | null, Date | null, string | undefined, string | undefined]>([
  [null, null, undefined, undefined],
  [null, new Date(), 'dns_passed', undefined],
  ['missing', new Date(), undefined, `There is no TXT record with the value ${value} at ${name}.`],
  [
    'different',
    new Date(),
    undefined,
    `The TXT record at ${name} is that of another claim: add one with the value ${value}.`,
  ],
  [
    'unreachable',
    new Date(),
    'internal_error',
    `The DNS does not say which TXT records are at ${name}; it is asked again.`,
  ],
  [
    'taken',
    new Date(),
    undefined,
    `Another organization has proven docs.test.example, and its TXT record is still at ${name}.`,
  ],
])('a claim with the fault %s, checked at %s, has the status %s', (fault, checkedAt, status, message) => {
  expect(statusOf({ ...claim, fault, checkedAt })).toBe(status)
  expect(messageOf({ ...claim, fault, checkedAt })).toBe(message)
})
