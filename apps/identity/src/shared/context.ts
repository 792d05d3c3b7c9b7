import type { calls } from '@recto/contracts'
import type { Actor } from '@recto/actor'
import type { Authenticated, Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { ServiceProvider } from '../saml/service-provider'

/** What every handler of identity receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  /** The key that signs the cursors of the requested list: it differs for each operation with its parameters. */
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

/** What handlers of operations that need a token receive: the actor is known. */
export type Context = Authenticated<BaseContext>
