import * as client from 'openid-client'
import { accessTokenFault } from './access-token.rules.ts'
import { insecureOptions, type ProviderDocuments } from './provider-documents.ts'
import { messagesOf, ProviderFault, type ProviderFaultReason } from './provider-fault.ts'
import { clockTolerance, verifySignedToken } from './signed-token.ts'

/** This application at one provider. */
export interface Registration {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUrl: string
  scopes: readonly string[]
}

/** The values that bind an answer of a provider to the request that it answers. */
export interface Checks {
  state: string
  nonce: string
  codeVerifier: string
}

/** The parameters with which the provider sends the browser back. */
export interface AuthorizationResponse {
  state?: string | undefined
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** The user who signed in, by the word of the provider; claims of the e-mail and the name are as it wrote them. */
export interface Authenticated {
  sub: string
  sid: string | undefined
  /** Seconds since the epoch when the ID token was issued. */
  issuedAt: number
  claims: Record<string, unknown>
}

/** The address that starts a sign-in: code flow with PKCE (RFC 7636), state and nonce. Throws `ProviderFault`. */
export async function authorizationUrl(
  documents: ProviderDocuments,
  registration: Registration,
  { state, nonce, codeVerifier }: Checks,
): Promise<string> {
  const { configuration } = await configurationOf(documents, registration)
  const parameters = {
    redirect_uri: registration.redirectUrl,
    response_type: 'code',
    scope: [...new Set(['openid', ...registration.scopes])].join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }
  return addressOf(() => client.buildAuthorizationUrl(configuration, parameters))
}

/** The address where the provider ends sessions (OpenID Connect RP-Initiated Logout 1.0); undefined where it has none. */
export async function endSessionUrl(
  documents: ProviderDocuments,
  registration: Registration,
): Promise<string | undefined> {
  const { configuration, metadata } = await configurationOf(documents, registration)
  if (metadata.end_session_endpoint === undefined) return undefined
  return addressOf(() => client.buildEndSessionUrl(configuration, {}))
}

/** An address of the provider; one that the metadata lacks, or that is no https URL, is a fault of the metadata. */
function addressOf(build: () => URL): string {
  try {
    return build().href
  } catch (error) {
    throw new ProviderFault('discovery', messagesOf(error), { cause: error })
  }
}

/** Redeems the code of an answer, and verifies the ID token that comes for it. Throws `ProviderFault`. */
export async function redeemCode(
  documents: ProviderDocuments,
  registration: Registration,
  { response, checks }: { response: AuthorizationResponse; checks: Checks },
): Promise<Authenticated> {
  const { configuration, metadata } = await configurationOf(documents, registration)
  requireIssuer(response, metadata)
  const { id_token: idToken, access_token: accessToken } = await client
    .authorizationCodeGrant(configuration, responseUrl(registration, response), {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    })
    .catch((error: unknown) => {
      throw grantFault(error)
    })
  const source = { documents, metadata }
  const expected = { clientId: registration.clientId, requiredClaims: ['sub', 'nonce'] }
  const { claims, header } = await verifySignedToken(idToken ?? '', source, expected)
  const fault = accessTokenFault({ accessToken, expected: claims['at_hash'], algorithm: header.alg })
  if (fault) throw new ProviderFault('access_token', fault)
  const { sub, sid, iat: issuedAt } = claims
  if (typeof sub !== 'string' || issuedAt === undefined) throw new ProviderFault('structure')
  const isComplete = claims['email'] !== undefined || metadata.userinfo_endpoint === undefined
  const person = isComplete ? claims : await userInfo(configuration, accessToken, sub)
  return { sub, sid: typeof sid === 'string' ? sid : undefined, issuedAt, claims: person }
}

/** The claims of the userinfo endpoint, for providers whose ID token has no e-mail. */
async function userInfo(configuration: client.Configuration, accessToken: string, sub: string) {
  try {
    return await client.fetchUserInfo(configuration, accessToken, sub)
  } catch (error) {
    throw new ProviderFault('user_info', messagesOf(error), { cause: error })
  }
}

async function configurationOf(documents: ProviderDocuments, { issuer, clientId, clientSecret }: Registration) {
  const metadata = await documents.metadata(issuer)
  const authentication = authenticationOf(metadata)(clientSecret)
  const options = { [client.clockTolerance]: clockTolerance }
  const configuration = new client.Configuration(metadata, clientId, options, authentication)
  configuration[client.customFetch] = documents.fetch
  for (const allow of insecureOptions(issuer)) allow(configuration)
  return { configuration, metadata }
}

/** How the client authenticates: by the form where the provider announces it, since not all decode HTTP Basic alike, which is the default. */
function authenticationOf({ token_endpoint_auth_methods_supported: announced }: client.ServerMetadata) {
  return announced?.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic
}

/** Refuses an answer in the name of another issuer, or without one where the provider announces it (RFC 9207). */
function requireIssuer({ iss }: AuthorizationResponse, metadata: client.ServerMetadata): void {
  if (iss === undefined && metadata.authorization_response_iss_parameter_supported !== true) return
  if (iss !== metadata.issuer) throw new ProviderFault('response_issuer', iss === undefined ? 'iss is missing' : '')
}

function responseUrl({ redirectUrl }: Registration, response: AuthorizationResponse): URL {
  const url = new URL(redirectUrl)
  for (const [name, value] of Object.entries(response)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

const claimReasons: Partial<Record<string, ProviderFaultReason>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expired',
  nbf: 'not_yet_valid',
}

/** Why the library refuses the answer of the provider, or that of its token endpoint. */
function grantFault(error: unknown): ProviderFault {
  const options = { cause: error }
  if (error instanceof client.AuthorizationResponseError)
    return new ProviderFault('provider_error', error.error, options)
  if (error instanceof client.ResponseBodyError) return new ProviderFault('token_request', error.error, options)
  const details = detailsOf(error)
  const reason = claimReasons[String(details['claim'])]
  if (reason) return new ProviderFault(reason, messagesOf(error), options)
  if ('header' in details && 'expected' in details) return new ProviderFault('algorithm', messagesOf(error), options)
  return new ProviderFault('token_response', messagesOf(error), options)
}

/** The details that the library puts into the causes of its errors. */
function detailsOf(error: unknown): Record<string, unknown> {
  let details: Record<string, unknown> = {}
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as { cause?: unknown }).cause)
    if (!(cause instanceof Error)) details = { ...details, ...cause }
  return details
}
