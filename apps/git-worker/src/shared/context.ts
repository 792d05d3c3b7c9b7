import type { Actor } from '@recto/actor'
import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { peopleCalls } from '@recto/contracts-identity-bus'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** Calls of content, which owns spaces and their content. */
export type ContentCalls = Client<typeof gitContentCalls>

/** Calls of identity, which knows the members of organizations. */
export type PeopleCalls = Pick<Client<typeof peopleCalls>, 'describePeople'>

/** The context of every handler of git-worker. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  encryptionKey: Secrets
  /** Limit on the running git operations of an organization. */
  gitOrganizationJobs: number
  /** Milliseconds for one git operation. */
  operationTimeout: number
  content: ContentCalls
  people: PeopleCalls
}

/** The context of handlers whose operation needs a token: the actor is known. */
export type Context = Authenticated<BaseContext>
