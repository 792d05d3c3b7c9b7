import { Failure } from '@recto/operation'

/** Why a sign-in is refused: for the log, never for the reply. */
export type Reason =
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
  | 'name_id'
  | 'not_sso_member'
  | 'disabled_member'
  | 'outside'

/** A reason, and what the parser or the library said. */
export interface Refusal {
  reason: Reason
  said?: string
}

const longestSaid = 200

/** The failure of a sign-in. Everybody hears the same: who guesses learns nothing from it. */
export function refused(reason: Reason, said?: string): Failure {
  const cause: Refusal = { reason, ...(said && { said: said.slice(0, longestSaid) }) }
  return new Failure(
    'unauthenticated',
    'The sign-in was refused. Ask an administrator of the installation: its log says why',
    { cause },
  )
}

/** The reason of a failure, when it is that of a sign-in. */
export function refusalOf(error: unknown): Refusal | undefined {
  const isRefusal = error instanceof Failure && error.code === 'unauthenticated' && typeof error.cause === 'object'
  return isRefusal ? (error.cause as Refusal) : undefined
}
