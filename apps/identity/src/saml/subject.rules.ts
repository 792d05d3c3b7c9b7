import { z } from 'zod'
import type { Assertion } from './assertion.rules.ts'
import type { Reason } from './refusal.ts'

const Email = z.email().max(254)
const longestName = 64
const names = {
  whole: [
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

/** The e-mail that names a person, in lower case; undefined when the name is none. */
export function emailOf({ nameId }: Pick<Assertion, 'nameId'>): string | undefined {
  const { success, data } = Email.safeParse(nameId.toLowerCase())
  return success ? data : undefined
}

/** How a person is shown: as the identity provider says, else what is before the `@`. */
export function displayNameOf({ attributes }: Pick<Assertion, 'attributes'>, email: string): string {
  const named = (among: readonly string[]): string =>
    among.map(name => plain(attributes.get(name) ?? '')).find(value => value !== '') ?? ''
  const parts = [named(names.first), named(names.last)].filter(part => part !== '').join(' ')
  const shown = parts || named(names.whole) || email.slice(0, email.indexOf('@'))
  return Array.from(shown).slice(0, longestName).join('').trim()
}

/** Without controls, and without those that turn the direction of what stands beside a name. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** What is known of the person here: their user, and their place in the organization. */
export interface Known {
  user: boolean
  member?: { sso: boolean; disabled: boolean } | undefined
}

/** Whether a person signs in, or becomes a user first. An account is entered only when an admin has made it an SSO member. */
export function planSignIn({
  user,
  member,
}: Known): 'create' | 'enter' | Extract<Reason, 'outside' | 'not_sso_member' | 'disabled_member'> {
  if (!user) return 'create'
  if (!member) return 'outside'
  if (member.disabled) return 'disabled_member'
  return member.sso ? 'enter' : 'not_sso_member'
}
