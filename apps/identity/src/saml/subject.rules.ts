import { z } from 'zod'
import type { Assertion } from './assertion.rules.ts'
import type { Reason } from './refusal.ts'

const Email = z.email().max(254)
const maxNameLength = 64
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
  const { success, data } = Email.safeParse(nameId.toLowerCase())
  return success ? data : undefined
}

/** The display name from the attributes, else the part of the email before the `@`; at most 64 characters. */
export function subjectDisplayName({ attributes }: Pick<Assertion, 'attributes'>, email: string): string {
  const firstValue = (among: readonly string[]): string =>
    among.map(name => withoutControls(attributes.get(name) ?? '')).find(value => value !== '') ?? ''
  const parts = [firstValue(nameAttributes.first), firstValue(nameAttributes.last)]
    .filter(part => part !== '')
    .join(' ')
  const displayName = parts || firstValue(nameAttributes.full) || email.slice(0, email.indexOf('@'))
  return Array.from(displayName).slice(0, maxNameLength).join('').trim()
}

/** Replaces control characters, including the bidirectional ones, which would reorder the text around a name. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** Whether a subject signs in to an existing account with this membership, or is refused. Existing accounts must have been made SSO members by an admin. */
export function planSignIn(
  member: { sso: boolean; disabled: boolean } | undefined,
): 'signIn' | Extract<Reason, 'outside' | 'not_sso_member' | 'disabled_member'> {
  if (!member) return 'outside'
  if (member.disabled) return 'disabled_member'
  return member.sso ? 'signIn' : 'not_sso_member'
}
