import { expect, it } from '@jest/globals'
import { isEmailProven } from './emails.rules.ts'

it.each([
  ['a platform administrator', null, true],
  ['the single sign-on of the organization', 'own', true],
  ['the single sign-on of another organization', 'other', false],
])('an email that %s asserted is proven to an organization: %s', (_who, emailAssertedBy, proven) =>
  expect(isEmailProven({ emailAssertedBy }, 'own')).toBe(proven),
)
