import type { identityCalls, peopleCalls, visitCalls } from '@recto/contracts-identity-bus'
import type { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import type { contentRpc } from '@recto/contracts-content-bus'
import type { Actor } from '@recto/actor'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { OpenIdClient } from '@recto/openid'
import type { ServiceContext } from '@recto/service'
import type { Log } from '@recto/telemetry'

/** The context that every handler of publishing receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  /** Where sites without a hostname of their own are published: a URL with `{basename}`. */
  sitesUrl: string
  /** The secret of the installation, from which keys are derived. */
  signingSecret: Secrets
  /** Where the reader of published sites runs, without a slash at the end. */
  readerUrl: string | undefined
  /** Whether hostnames have to be proven by a DNS record. */
  requiresProof: boolean
  /** Asks the OpenID providers of sites. */
  openid: OpenIdClient
  log: Log
  /** Client of the content service, which owns spaces. */
  content: Client<typeof contentRpc>
  /** Client of git-worker, which owns the previews of pull requests. */
  gitWorker: Pick<Client<typeof gitWorkerCalls>, 'findGitPreview'>
  /** Client of the identity service, which owns access tokens. */
  identity: Client<typeof identityCalls>
  /** Client of the identity service, at which members sign in. */
  visits: Client<typeof visitCalls>
  /** Client of the identity service, which owns members. */
  people: Client<typeof peopleCalls>
}

/** The context of operations that need a token: the actor is known. */
export type Context = Authenticated<BaseContext>
