import { Failure, type Actor } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** What every handler of identity receives. */
export interface Context extends ServiceContext {
  publicUrl: string
  signingSecret: string
  build: string
}

/** The caller of an authenticated operation. */
export function actorOf({ actor }: Context): Actor {
  if (!actor) throw new Failure('unauthenticated', 'An access token is needed')
  return actor
}
