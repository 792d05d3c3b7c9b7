import { assertedEmail, displayNameOf, withoutControls } from '../sign-ins/account.rules.ts'
import type { Subject } from '../sign-ins/find-or-create-user.ts'
import type { Reason } from '../sign-ins/refusal.ts'

/** Who signs in, by the claims of a provider (OpenID Connect Core 1.0, section 5.1), or the reason to refuse them. */
export function subjectOf(
  claims: Record<string, unknown>,
): Subject | Extract<Reason, 'email_missing' | 'email_unverified'> {
  const email = assertedEmail(textOf(claims['email']))
  if (email === undefined) return 'email_missing'
  // Some providers write booleans as texts. One that says nothing, as Microsoft Entra, asserts what its administrators have set.
  if (claims['email_verified'] === false || textOf(claims['email_verified']).toLowerCase() === 'false')
    return 'email_unverified'
  const [first, last, whole] = ['given_name', 'family_name', 'name'].map(name => withoutControls(textOf(claims[name])))
  return { email, displayName: displayNameOf({ parts: [first ?? '', last ?? ''], whole: whole ?? '', email }) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
