import { z } from 'zod'
import type { Reason } from './refusal.ts'

const Email = z.email().max(254)
const maxNameLength = 64

/** An e-mail that a provider asserts, in lower case; undefined when it is not an e-mail. */
export function assertedEmail(text: string): string | undefined {
  const { success, data } = Email.safeParse(text.toLowerCase())
  return success ? data : undefined
}

/** The display name from parts of a name, else from a whole name, else the part of the e-mail before the `@`; at most 64 characters. */
export function displayNameOf({ parts, whole, email }: { parts: string[]; whole: string; email: string }): string {
  const displayName = parts.filter(part => part !== '').join(' ') || whole || email.slice(0, email.indexOf('@'))
  return Array.from(displayName).slice(0, maxNameLength).join('').trim()
}

/** Replaces control characters, including the bidirectional ones, which would reorder the text around a name. */
export function withoutControls(text: string): string {
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
