import type { calls } from '@recto/contracts'
import { Failure, type Actor, type Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { ServiceProvider } from './saml/service-provider.ts'

/** What every handler of identity receives. */
export interface Context extends ServiceContext {
  publicUrl: string
  /** What cursors are signed with: another key for each list, so for each operation with what it was asked. */
  cursorKey(): string
  build: string
  /** What claims of visitors are signed with. */
  visitorKey: Uint8Array
  /** Single sign-on: who we are, and how many seconds its tokens live. */
  sso: ServiceProvider & { tokenTtl: number }
  /** Calls of the service that owns spaces. */
  content: Client<typeof calls.content>
  log: Log
}

/** The caller of an authenticated operation. */
export function actorOf({ actor }: Context): Actor {
  if (!actor) throw new Failure('unauthenticated', 'An access token is needed')
  return actor
}
