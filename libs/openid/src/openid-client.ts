import { createHash } from 'node:crypto'
import type { Outgoing } from '@recto/outgoing'
import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance as tolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from 'openid-client'
import { clockTolerance } from './clock.ts'
import { toOpenIdFailure } from './failures.ts'
import { faultyEndpoint, isInsecure, isProviderUrl } from './issuer.rules.ts'
import { verifyLogoutToken, type LogoutToken } from './logout-token.ts'
import { OpenIdFailure } from './openid-failure.ts'
import { outgoingFetch, type ExchangeLimits, type OutgoingFetch } from './outgoing-fetch.ts'

/** A provider, and the client that it knows this installation as. */
export interface OpenIdSettings {
  issuer: string
  clientId: string
  /** Left out for a public client, which proves itself by PKCE alone. */
  clientSecret?: string | undefined
}

/** The start of a sign-in: all but the state and the nonce are kept by who starts it, for its end. */
export interface AuthorizationRequest {
  redirectUri: string
  scopes: readonly string[]
  state: string
  nonce: string
  /** The PKCE verifier, of which the browser carries the challenge (S256). */
  verifier: string
}

/** The end of a sign-in: what the browser brought, and what its start kept. */
export interface AuthorizationResponse {
  redirectUri: string
  /** The query that the provider sent the browser back with, without `?`. */
  query: string
  state: string
  nonce: string
  verifier: string
}

/** A user whom a provider has signed in. */
export interface SignedIn {
  /** The claims of the user: of the ID token, and of the user info endpoint where the provider has one. */
  claims: Record<string, unknown>
  sub: string
  /** The session at the provider, where it says one. */
  sid?: string
  /** When the ID token was issued, and until when it is valid: milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
  /** The ID token, which names the session to the provider at a logout. */
  idToken: string
}

/** The relying party of OpenID Connect. All its methods throw `OpenIdFailure` for whatever the provider, or what came in its name, has failed. */
export interface OpenIdClient {
  /** The address at the provider to which the browser goes to sign in. */
  authorizationUrl(settings: OpenIdSettings, request: AuthorizationRequest): Promise<string>
  /** Exchanges the code that the browser brought, after all checks: state, issuer (RFC 9207), signature, audience, nonce and time. */
  exchange(settings: OpenIdSettings, response: AuthorizationResponse): Promise<SignedIn>
  /** The address at the provider that ends the user's session there; undefined where it has none. */
  endSessionUrl(
    settings: OpenIdSettings,
    logout: { idToken?: string | undefined; returnTo: string },
  ): Promise<string | undefined>
  /** Verifies the token with which a provider says that a session, or all of a user, have ended. */
  verifyLogoutToken(settings: OpenIdSettings, token: string): Promise<LogoutToken>
}

/** Limits of exchanges with providers; how long what a provider says of itself is taken as it is, milliseconds. */
export interface OpenIdClientOptions extends Partial<ExchangeLimits> {
  metadataFor?: number
}

/** A provider whose metadata was read. */
interface Provider {
  configuration: Configuration
  metadata: Readonly<ServerMetadata>
  keys: JWTVerifyGetKey
}

/** Providers that are kept. */
const maxProviders = 1_000

/** Creates a client that reaches providers by `outgoing`, which decides which addresses are allowed. */
export function createOpenIdClient(
  outgoing: Pick<Outgoing, 'request'>,
  { maxBytes = 256 * 1024, timeoutMs = 5_000, metadataFor = 10 * 60_000 }: OpenIdClientOptions = {},
): OpenIdClient {
  const fetch = outgoingFetch(outgoing, { maxBytes, timeoutMs })
  const providers = new LRUCache<string, Provider, OpenIdSettings>({
    max: maxProviders,
    ttl: metadataFor,
    fetchMethod: (_key, _stale, { context: settings }) => readProvider(settings, { fetch, timeoutMs }),
  })
  const providerOf = (settings: OpenIdSettings) => providers.forceFetch(keyOf(settings), { context: settings })
  return {
    authorizationUrl: (settings, request) => failing(async () => authorizationUrl(await providerOf(settings), request)),
    exchange: (settings, response) => failing(async () => exchange(await providerOf(settings), response)),
    endSessionUrl: (settings, { idToken, returnTo }) =>
      failing(async () => {
        const { configuration, metadata } = await providerOf(settings)
        if (metadata.end_session_endpoint === undefined) return undefined
        const hint = idToken === undefined ? {} : { id_token_hint: idToken }
        return buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: returnTo }).href
      }),
    verifyLogoutToken: (settings, token) =>
      failing(async () => {
        const { metadata, keys } = await providerOf(settings)
        return verifyLogoutToken(token, { issuer: metadata.issuer, clientId: settings.clientId, keys })
      }),
  }
}

async function failing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toOpenIdFailure(error)
  }
}

/** The secret is part of the key, but not as it is: whoever sees the cache does not see it. */
function keyOf({ issuer, clientId, clientSecret = '' }: OpenIdSettings): string {
  return JSON.stringify([issuer, clientId, createHash('sha256').update(clientSecret).digest('base64url')])
}

async function readProvider(
  { issuer, clientId, clientSecret }: OpenIdSettings,
  { fetch, timeoutMs }: { fetch: OutgoingFetch; timeoutMs: number },
): Promise<Provider> {
  if (!isProviderUrl(issuer)) throw new OpenIdFailure('provider', 'The issuer is no https URL')
  const execute = isInsecure(issuer) ? [allowInsecureRequests] : []
  const timeout = Math.ceil(timeoutMs / 1000)
  const discovered = await discovery(new URL(issuer), clientId, {}, None(), { [customFetch]: fetch, execute, timeout })
  const metadata = discovered.serverMetadata()
  const fault = faultyEndpoint(metadata)
  if (fault !== undefined) throw new OpenIdFailure('provider', `The provider has no ${fault} at an https URL`)
  const configuration = new Configuration(
    metadata,
    clientId,
    { [tolerance]: clockTolerance },
    authenticationBy(clientSecret, metadata),
  )
  configuration[customFetch] = fetch
  configuration.timeout = timeout
  for (const extend of [...execute, enableNonRepudiationChecks]) extend(configuration)
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    [joseFetch]: fetch,
    timeoutDuration: timeoutMs,
  })
  return { configuration, metadata, keys }
}

/** How the client proves itself at the token endpoint: by Basic, unless the provider takes a secret in the body alone. */
function authenticationBy(secret: string | undefined, metadata: Readonly<ServerMetadata>): ClientAuth {
  if (secret === undefined) return None()
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata
  const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return isPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

async function authorizationUrl(
  { configuration }: Provider,
  { redirectUri, scopes, state, nonce, verifier }: AuthorizationRequest,
): Promise<string> {
  const url = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

async function exchange(
  { configuration, metadata }: Provider,
  { redirectUri, query, state, nonce, verifier }: AuthorizationResponse,
): Promise<SignedIn> {
  const url = new URL(redirectUri)
  url.search = query
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await authorizationCodeGrant(configuration, url, checks)
  const idToken = tokens.claims()
  if (!idToken || tokens.id_token === undefined) throw new OpenIdFailure('provider', 'The provider sends no ID token')
  const { sub, sid, iat, exp } = idToken
  const hasUserInfo = metadata.userinfo_endpoint !== undefined
  const userInfo = hasUserInfo ? await fetchUserInfo(configuration, tokens.access_token, sub) : {}
  return {
    // A signed claim comes before one that the provider only says.
    claims: { ...userInfo, ...idToken },
    sub,
    ...(typeof sid === 'string' && sid !== '' && { sid }),
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
    idToken: tokens.id_token,
  }
}
