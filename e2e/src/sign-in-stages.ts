import { lockRow, type OpenIdProvider } from '@recto/testing'
import { databaseUrl, untilAwaited } from './databases.ts'
import { aHold, type Hold } from './git-proxy.ts'
import type { NatsProxy } from './nats-proxy.ts'

/** Where a sign-in of members is kept back. */
export interface HeldSignIn {
  provider: OpenIdProvider
  providerId: string
  nats: NatsProxy
  dataDir: string
}

/** A stage of a sign-in, at which identity is killed. */
export interface SignInStage {
  name: string
  /** The request that reaches the stage: that which begins, or the answer of the provider. */
  of: 'start' | 'callback'
  /** Whether the request has been sent when identity is killed. */
  isUnderWay: boolean
  /** The status of the same request afterwards. */
  again: 200 | 302 | 401
  hold(held: HeldSignIn): Hold | Promise<Hold>
}

/** The provider never answers the next request for a path. */
const atProvider =
  (path: string): SignInStage['hold'] =>
  ({ provider }) => {
    const hold = aHold()
    const reach = () => {
      provider.answers = {}
      hold.reach()
    }
    provider.answers = { [path]: reach }
    return hold
  }

const onRequest =
  (operation: string): SignInStage['hold'] =>
  ({ nats }) =>
    nats.hold(
      ({ client, to, subject }) => client === 'identity' && to === 'client' && subject === `api.identity.${operation}`,
    )

const onReply =
  (operation: string): SignInStage['hold'] =>
  ({ nats }) =>
    nats.hold(
      ({ client, to, request }) =>
        client === 'identity' && to === 'server' && request?.subject === `api.identity.${operation}`,
    )

const onProviderRow: SignInStage['hold'] = async ({ dataDir, providerId }) => {
  const locked = await lockRow(databaseUrl(dataDir, 'identity'), { table: 'oidc_providers', id: providerId })
  return { reached: untilAwaited(locked), release: () => void locked.release() }
}

const atOnce: SignInStage['hold'] = () => ({ reached: Promise.resolve(), release: () => {} })

const start = { of: 'start', isUnderWay: true, again: 302 } as const
const unused = { of: 'callback', isUnderWay: true, again: 200 } as const
const used = { of: 'callback', isUnderWay: true, again: 401 } as const

/** The stages of a sign-in, from the first to the last. */
export const signInStages: SignInStage[] = [
  {
    name: 'while it reads the metadata of the provider',
    ...start,
    hold: atProvider('/.well-known/openid-configuration'),
  },
  { name: 'after it stored the sign-in, before it says so', ...start, hold: onReply('startOidcSignIn') },
  { name: 'while the user is at the provider', of: 'callback', isUnderWay: false, again: 200, hold: atOnce },
  { name: 'before the answer of the provider reaches it', ...unused, hold: onRequest('completeOidcSignIn') },
  { name: 'while the provider has the code', ...used, hold: atProvider('/token') },
  { name: 'after the code was redeemed, while it reads keys', ...used, hold: atProvider('/keys') },
  { name: 'while it reads user info', ...used, hold: atProvider('/userinfo') },
  { name: 'before it commits the token', ...used, hold: onProviderRow },
  { name: 'after it committed the token, before it says so', ...used, hold: onReply('completeOidcSignIn') },
]
