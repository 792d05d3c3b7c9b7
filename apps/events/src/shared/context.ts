import type { Actor } from '@recto/actor'
import type { readerCalls } from '@recto/contracts-content-bus'
import type { peopleCalls } from '@recto/contracts-identity-bus'
import type { siteReaderCalls } from '@recto/contracts-publishing-bus'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import type { ServiceContext } from '@recto/service'
import type { Arrivals } from './arrivals.ts'
import type { ChangedRights } from './changed-rights.ts'

/** The context that every handler of the service receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  /** Milliseconds for which the feed has an event. */
  feedRetention: number
  /** The secrets of the installation, from which keys are derived. */
  signingSecret: Secrets
  /** Reaches the endpoints of webhooks. */
  outgoing: Outgoing
  /** Wakes requests that wait for an event. */
  arrivals: Arrivals
  /** Ends requests that go on for long when the rights of their callers change. */
  rights: ChangedRights
  /** Client of content, which knows who reads spaces and collections. */
  content: Client<typeof readerCalls>
  /** Client of publishing, which knows who reads sites. */
  publishing: Client<typeof siteReaderCalls>
  /** Client of identity, which knows names. */
  people: Client<typeof peopleCalls>
}

/** The context of operations that need a token: the actor is known. */
export type Context = Authenticated<BaseContext>
