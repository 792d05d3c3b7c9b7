import type { OpenIdReason } from '@recto/openid'
import { Failure } from '@recto/operation'

/** Why a sign-in with an OpenID provider is refused, besides the reasons that it has in common with SAML. */
type OidcReason = OpenIdReason | 'browser' | 'email_missing' | 'email_unverified' | 'email_domain' | 'signed_out'

/** Why a sign-in is refused; logged, never disclosed in a reply. */
export type Reason =
  | OidcReason
  | 'unreadable'
  | 'markup'
  | 'structure'
  | 'encrypted'
  | 'status'
  | 'unsigned'
  | 'algorithm'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'destination'
  | 'recipient'
  | 'confirmation'
  | 'time_missing'
  | 'expired'
  | 'not_yet_valid'
  | 'not_requested'
  | 'replayed'
  | 'provider_changed'
  | 'name_id'
  | 'not_sso_member'
  | 'disabled_member'
  | 'outside'

/** A reason with the message of the parser or the library, if any. */
export interface Refusal {
  reason: Reason
  detail?: string
}

const maxDetailLength = 200

/** The failure of a sign-in; its message is the same for every reason, so that attackers learn nothing from it. */
export function signInRefused(reason: Reason, detail?: string): Failure {
  const cause: Refusal = { reason, ...(detail && { detail: detail.slice(0, maxDetailLength) }) }
  return new Failure(
    'unauthenticated',
    'The sign-in was refused. Ask an administrator of the installation: its log says why',
    { cause },
  )
}

/** The refusal behind an error; undefined for other errors. */
export function refusalOf(error: unknown): Refusal | undefined {
  const isRefusal = error instanceof Failure && error.code === 'unauthenticated' && typeof error.cause === 'object'
  return isRefusal ? (error.cause as Refusal) : undefined
}
