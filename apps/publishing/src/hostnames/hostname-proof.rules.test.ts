import { expect, it } from '@jest/globals'
import { checkClaim, maxFailing, proofRecord, type Claim, type TxtRecords } from './hostname-proof.rules.ts'

const now = new Date('2026-01-10T00:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const ago = (ms: number) => new Date(now.getTime() - ms)

const ours = { hostname: 'docs.test.example', token: 'ours' }
const theirs = { ...ours, token: 'theirs' }
const record = proofRecord(ours).value
const theirRecord = proofRecord(theirs).value
const pending: Claim = { ...ours, state: 'pending', failingSince: null, createdAt: ago(hour) }
const trusted: Claim = { ...pending, state: 'trusted' }
const proven: Claim = { ...pending, state: 'proven', createdAt: ago(100 * day) }

// prettier-ignore
const cases: [string, Claim, TxtRecords, typeof theirs | undefined, string, string | null, number | null][] = [
  // what                                     claim, records, who is shown, state after, fault, milliseconds to the next check
  ['the record is there',                     pending, ['v=spf1', record], undefined, 'proven', null, day],
  ['nobody else has a record',                pending, [record], theirs, 'proven', null, day],
  ['another organization has one, too',       pending, [record, theirRecord], theirs, 'pending', 'taken', 6 * minute],
  ['there is no record',                      pending, [], undefined, 'pending', 'missing', 6 * minute],
  ['there are other texts',                   pending, ['v=spf1'], undefined, 'pending', 'missing', 6 * minute],
  ['the record is of somebody else',          pending, [theirRecord], undefined, 'pending', 'different', 6 * minute],
  ['the claim is new',                        { ...pending, createdAt: now }, [], undefined, 'pending', 'missing', minute],
  ['the claim is old',                        { ...pending, createdAt: ago(365 * day) }, [], undefined, 'pending', 'missing', day],
  ['the DNS does not answer a claim',         pending, undefined, undefined, 'pending', 'unreachable', 6 * minute],
  ['the record is still there',               proven, [record], undefined, 'proven', null, day],
  ['the record is there again',               { ...proven, failingSince: ago(day) }, [record], undefined, 'proven', null, day],
  ['the record is gone',                      proven, [], undefined, 'proven', 'missing', hour],
  ['the record is gone for long',             { ...proven, failingSince: ago(maxFailing) }, [], undefined, 'pending', 'missing', day],
  ['the record is gone for almost as long',   { ...proven, failingSince: ago(maxFailing - 1) }, [], undefined, 'proven', 'missing', hour],
  ['the DNS does not answer for long',        { ...proven, failingSince: ago(9 * day) }, undefined, undefined, 'proven', 'unreachable', hour],
  ['a trusted one has its record',            trusted, [record], undefined, 'proven', null, day],
  ['a trusted one has none',                  trusted, [], undefined, 'trusted', 'missing', null],
  ['the DNS does not answer for trust',       trusted, undefined, undefined, 'trusted', 'unreachable', null],
]

it.each(cases)('When %s, a claim is as the table says', (...row) => {
  const [, claim, records, other, state, fault, pause] = row
  const after = checkClaim(claim, { records, other, now })
  const next = after.dueAt && after.dueAt.getTime() - now.getTime()
  expect([after.state, after.fault, next]).toEqual([state, fault, pause])
})

it('A failure begins once', () => {
  expect(checkClaim(proven, { records: [], other: undefined, now }).failingSince).toEqual(now)
  const failing = { ...proven, failingSince: ago(day) }
  expect(checkClaim(failing, { records: [], other: undefined, now }).failingSince).toEqual(ago(day))
})
