import { expect, it } from '@jest/globals'
import { subjectOf } from './claims.rules.ts'

const email = 'ada@recto.test'
const ada = { email, displayName: 'ada' }

it.each<[string, Record<string, unknown>, ReturnType<typeof subjectOf>]>([
  ['an e-mail alone', { email }, ada],
  ['an e-mail in other letters', { email: 'Ada@Recto.TEST' }, ada],
  ['a verified e-mail', { email, email_verified: true }, ada],
  ['a verified e-mail, as text', { email, email_verified: 'true' }, ada],
  ['an e-mail that is not verified', { email, email_verified: false }, 'email_unverified'],
  ['an e-mail that is not verified, as text', { email, email_verified: 'False' }, 'email_unverified'],
  ['no e-mail', { email_verified: true }, 'email_missing'],
  ['an e-mail that is none', { email: 'ada' }, 'email_missing'],
  ['several e-mails', { email: [email] }, 'email_missing'],
  [
    'two names',
    { email, given_name: 'Ada', family_name: 'Lovelace', name: 'Countess' },
    { email, displayName: 'Ada Lovelace' },
  ],
  ['a whole name', { email, name: 'Countess\u202e Ada' }, { email, displayName: 'Countess Ada' }],
  ['names that are no texts', { email, given_name: { a: 1 }, name: 7 }, ada],
])('A subject with %s is %j', (_case, claims, expected) => {
  expect(subjectOf(claims)).toEqual(expected)
})
