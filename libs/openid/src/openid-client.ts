import { createOutgoing } from '@recto/outgoing'
import {
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
  fetchUserInfo,
  None,
  type ServerMetadata,
} from 'openid-client'
import { accessTokenFault } from './access-token.rules.ts'
import { clockTolerance } from './clock.ts'
import { failureOf, grantFailure } from './failures.ts'
import { verifyLogoutToken, type LogoutToken } from './logout-token.ts'
import { OpenIdFailure } from './openid-failure.ts'
import { outgoingFetch, type ExchangeLimits } from './outgoing-fetch.ts'
import { createProviderDocuments, extensionsFor, type ProviderDocuments } from './provider-documents.ts'
import { verifySignedToken } from './signed-token.ts'

/** A provider, and the client that it knows this installation as. */
export interface OpenIdSettings {
  issuer: string
  clientId: string
  /** Left out for a public client, which proves itself by PKCE alone. */
  clientSecret?: string | undefined
}

/** The values that bind the answer of a provider to the request that it answers; who starts a sign-in keeps them for its end. */
export interface SignInChecks {
  state: string
  nonce: string
  /** The PKCE verifier, of which the browser carries the challenge (S256). */
  verifier: string
}

/** The start of a sign-in. */
export interface AuthorizationRequest extends SignInChecks {
  redirectUri: string
  scopes: readonly string[]
}

/** The end of a sign-in: what the browser brought, and what its start kept. */
export interface AuthorizationResponse extends SignInChecks {
  redirectUri: string
  /** The query that the provider sent the browser back with, without `?`. */
  query: string
}

/** A user whom a provider has signed in. */
export interface SignedIn {
  /** The claims of the ID token. */
  claims: Record<string, unknown>
  sub: string
  /** The session at the provider, where it says one. */
  sid?: string
  /** When the ID token was issued, and until when it is valid: milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
  /** The ID token, which names the session to the provider at a logout. */
  idToken: string
  /** Asks the user info endpoint for claims, which nobody has signed; undefined where the provider has none. Throws `OpenIdFailure`, also for claims of another user. */
  userInfo(): Promise<Record<string, unknown> | undefined>
}

/** The relying party of OpenID Connect. All its methods throw `OpenIdFailure` for whatever the provider, or what came in its name, has failed. */
export interface OpenIdClient {
  /** The address at the provider to which the browser goes to sign in. */
  authorizationUrl(settings: OpenIdSettings, request: AuthorizationRequest): Promise<string>
  /** Exchanges the code that the browser brought, after all checks: state, issuer (RFC 9207), signature, audience, nonce, time and access token. */
  exchange(settings: OpenIdSettings, response: AuthorizationResponse): Promise<SignedIn>
  /** The address at the provider that ends the user's session there; undefined where it has none. */
  endSessionUrl(settings: OpenIdSettings, logout?: LogoutRequest): Promise<string | undefined>
  /** Verifies the token with which a provider says that a session, or all of a user, have ended. That it comes once is for the caller to see to. */
  verifyLogoutToken(settings: OpenIdSettings, token: string): Promise<LogoutToken>
  /** Ends the connections to providers. */
  close(): Promise<void>
}

/** The session that ends at the provider, and where the browser goes then. */
export interface LogoutRequest {
  idToken?: string | undefined
  returnTo?: string | undefined
}

/** Which addresses that are not public may be reached (`OUTGOING_ALLOW`), and the limits of one exchange with a provider. */
export interface OpenIdClientOptions extends Partial<ExchangeLimits> {
  allow: string
}

/** Creates a client that asks providers within five seconds and 256 KiB for each exchange, unless other limits are set. */
export function createOpenIdClient({
  allow,
  timeoutMs = 5_000,
  maxBytes = 256 * 1024,
}: OpenIdClientOptions): OpenIdClient {
  const outgoing = createOutgoing({ allow, timeoutMs, maxBytes })
  const fetch = outgoingFetch(outgoing)
  const documents = createProviderDocuments(fetch)
  const providerOf = async (settings: OpenIdSettings): Promise<Provider> => {
    const metadata = await documents.metadata(settings.issuer)
    const { clientId } = settings
    const options = { [tolerance]: clockTolerance }
    const configuration = new Configuration(metadata, clientId, options, authenticationBy(settings, metadata))
    configuration[customFetch] = fetch
    configuration.timeout = Math.ceil(timeoutMs / 1000)
    for (const extend of extensionsFor(settings.issuer)) extend(configuration)
    return { configuration, metadata, documents, clientId }
  }
  return {
    authorizationUrl: async (settings, request) => authorizationUrl(await providerOf(settings), request),
    exchange: async (settings, response) => exchange(await providerOf(settings), response),
    endSessionUrl: async (settings, logout = {}) => endSessionUrl(await providerOf(settings), logout),
    verifyLogoutToken: async (settings, token) => verifyLogoutToken(token, await providerOf(settings)),
    close: () => outgoing.close(),
  }
}

/** A provider whose metadata was read, and how it is asked by one of its clients. */
interface Provider {
  configuration: Configuration
  metadata: ServerMetadata
  documents: ProviderDocuments
  clientId: string
}

/** How the client proves itself at the token endpoint: by Basic, which clients are registered with by default, unless the provider announces the form alone. */
function authenticationBy({ clientSecret }: OpenIdSettings, metadata: ServerMetadata): ClientAuth {
  if (clientSecret === undefined) return None()
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata
  const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return isPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
}

async function authorizationUrl(
  { configuration }: Provider,
  { redirectUri, scopes, state, nonce, verifier }: AuthorizationRequest,
): Promise<string> {
  const parameters = {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: [...new Set(['openid', ...scopes])].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  return addressOf(() => buildAuthorizationUrl(configuration, parameters))
}

function endSessionUrl({ configuration, metadata }: Provider, { idToken, returnTo }: LogoutRequest) {
  if (metadata.end_session_endpoint === undefined) return undefined
  const parameters = {
    ...(idToken !== undefined && { id_token_hint: idToken }),
    ...(returnTo !== undefined && { post_logout_redirect_uri: returnTo }),
  }
  return addressOf(() => buildEndSessionUrl(configuration, parameters))
}

/** An address of the provider, which its metadata has at fault. */
function addressOf(build: () => URL): string {
  try {
    return build().href
  } catch (error) {
    throw failureOf(error, 'discovery')
  }
}

async function exchange(provider: Provider, response: AuthorizationResponse): Promise<SignedIn> {
  const { configuration, metadata, clientId } = provider
  const { redirectUri, query, state, nonce, verifier } = response
  const url = new URL(redirectUri)
  url.search = query
  requireIssuer(url.searchParams, metadata)
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const { id_token: idToken = '', access_token: accessToken } = await authorizationCodeGrant(
    configuration,
    url,
    checks,
  ).catch((error: unknown) => {
    throw grantFailure(error)
  })
  const expected = { clientId, requiredClaims: ['sub', 'nonce'] }
  const { claims, header } = await verifySignedToken(idToken, provider, expected)
  const fault = accessTokenFault({ accessToken, expected: claims['at_hash'], algorithm: header.alg })
  if (fault) throw new OpenIdFailure('access_token', fault)
  const { sub, sid, iat, exp } = claims
  if (typeof sub !== 'string' || iat === undefined || exp === undefined) throw new OpenIdFailure('structure')
  return {
    claims,
    sub,
    ...(typeof sid === 'string' && sid !== '' && { sid }),
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
    idToken,
    userInfo: () => userInfo(provider, accessToken, sub),
  }
}

/** Refuses an answer in the name of another issuer, or without one where the provider announces it (RFC 9207). */
function requireIssuer(answer: URLSearchParams, metadata: ServerMetadata): void {
  const iss = answer.get('iss')
  if (iss === null && metadata.authorization_response_iss_parameter_supported !== true) return
  if (iss !== metadata.issuer) throw new OpenIdFailure('response_issuer', iss === null ? 'iss is missing' : '')
}

async function userInfo({ configuration, metadata }: Provider, accessToken: string, sub: string) {
  if (metadata.userinfo_endpoint === undefined) return undefined
  try {
    return await fetchUserInfo(configuration, accessToken, sub)
  } catch (error) {
    throw failureOf(error, 'user_info')
  }
}
