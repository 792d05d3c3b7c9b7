import { assertedEmail, displayNameOf, withoutControls } from '../sign-ins/account.rules.ts'
import type { Assertion } from './assertion.rules.ts'

const nameAttributes = {
  full: [
    'displayname',
    'display_name',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
  ],
  first: [
    'first_name',
    'firstname',
    'givenname',
    'given_name',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
    'urn:oid:2.5.4.42',
  ],
  last: [
    'last_name',
    'lastname',
    'surname',
    'sn',
    'family_name',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
    'urn:oid:2.5.4.4',
  ],
} as const

/** The email in `NameID`, in lower case; undefined when it is not an email. */
export function subjectEmail({ nameId }: Pick<Assertion, 'nameId'>): string | undefined {
  return assertedEmail(nameId)
}

/** The display name from the attributes, else the part of the email before the `@`; at most 64 characters. */
export function subjectDisplayName({ attributes }: Pick<Assertion, 'attributes'>, email: string): string {
  const firstValue = (among: readonly string[]): string =>
    among.map(name => withoutControls(attributes.get(name) ?? '')).find(value => value !== '') ?? ''
  const parts = [firstValue(nameAttributes.first), firstValue(nameAttributes.last)]
  return displayNameOf({ parts, whole: firstValue(nameAttributes.full), email })
}
