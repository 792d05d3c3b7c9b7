import type { contentRpc } from '@recto/contracts-content-bus'
import type { publishingRpc } from '@recto/contracts-publishing-bus'
import type { Actor } from '@recto/actor'
import type { OpenIdClient } from '@recto/openid'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { ServiceContext } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { OAuthServer } from './oauth-server.ts'
import type { SigningKey } from './signing-key.ts'

/** This installation as a SAML service provider. */
export interface ServiceProvider {
  publicUrl: string
  /** Signs authentication requests; they are not signed without it. */
  signing: SigningKey | undefined
}

/** The context that every handler of identity receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  build: string
  /** The secret of the installation, from which keys are derived. */
  signingSecret: Secrets
  /** Single sign-on; `tokenTtl` is the lifetime of its tokens in seconds. */
  sso: ServiceProvider & { tokenTtl: number }
  /** Asks the OpenID providers of organizations. */
  openId: OpenIdClient
  /** Client of the content service, which owns spaces. */
  content: Client<typeof contentRpc>
  /** Client of the publishing service, which owns sites. */
  publishing: Client<typeof publishingRpc>
  /** The authorization server of OAuth. */
  oauth: OAuthServer<BaseContext>
  /** Lifetimes of grants and sessions in seconds. */
  oauthTtl: { grant: number; sessionIdle: number; session: number }
  log: Log
}

/** The context of operations that need a token: the actor is known. */
export type Context = Authenticated<BaseContext>
