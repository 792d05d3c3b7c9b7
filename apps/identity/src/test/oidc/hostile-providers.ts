import {
  aProviderKey,
  openIdTestClient,
  signedByAnother,
  type OpenIdProvider,
  type ProviderBehaviour,
} from '@recto/testing'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { Reason } from '../../sign-ins/refusal.ts'

const { id: clientId, secret: clientSecret } = openIdTestClient
const now = () => Math.floor(Date.now() / 1000)

/** Signs with a shared secret, as whoever knows it can. */
const signedWith = (secret: string) => (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret.padEnd(32, ' ')))

/** Behaviour of a provider, and the reason for which its answer is refused. */
export const hostileAnswers = (
  provider: () => OpenIdProvider,
): [
  string,
  Reason,
  Partial<ProviderBehaviour> | (() => Promise<Partial<ProviderBehaviour>> | Partial<ProviderBehaviour>),
][] => [
  ['a nonce of another sign-in', 'nonce', { claims: { nonce: 'another' } }],
  ['no nonce', 'token_response', { claims: { nonce: undefined } }],
  ['another issuer', 'issuer', { claims: { iss: 'https://other.test' } }],
  ['no issuer', 'token_response', { claims: { iss: undefined } }],
  ['another audience', 'audience', { claims: { aud: 'other' } }],
  ['no audience', 'token_response', { claims: { aud: undefined } }],
  ['two audiences and no authorized party', 'audience', { claims: { aud: [clientId, 'other'] } }],
  ['another authorized party', 'audience', { claims: { aud: [clientId, 'other'], azp: 'other' } }],
  ['no subject', 'token_response', { claims: { sub: undefined } }],
  ['a subject that is too long', 'structure', { claims: { sub: 'x'.repeat(256) } }],
  ['an expiry that has passed', 'expired', { claims: { exp: now() - 120 } }],
  ['no expiry', 'token_response', { claims: { exp: undefined } }],
  ['a time in the future', 'not_yet_valid', { claims: { iat: now() + 600, exp: now() + 1200 } }],
  ['a validity that begins in the future', 'not_yet_valid', { claims: { nbf: now() + 600 } }],
  ['no signature', 'algorithm', { sign: claims => new UnsecuredJWT(claims).encode() }],
  ['a signature by the id of the client', 'algorithm', { sign: signedWith(clientId) }],
  ['a signature by the secret of the client', 'algorithm', { sign: signedWith(clientSecret) }],
  [
    'a signature by another key under the id of the right one',
    'signature',
    () => ({ sign: signedByAnother(provider()) }),
  ],
  [
    'a signature by a key that the provider does not publish',
    'key_unknown',
    async () => {
      const key = await aProviderKey()
      return { sign: claims => provider().signClaims(claims, { key }) }
    },
  ],
  [
    'a key of its own in the header',
    'signature',
    async () => {
      const { kid = '' } = provider().keys[0]?.jwk ?? {}
      const key = await aProviderKey(kid)
      return { sign: claims => provider().signClaims(claims, { key, header: { jwk: key.jwk } }) }
    },
  ],
  [
    'a signature that was changed',
    'signature',
    { sign: async claims => (await provider().signClaims(claims)).replace(/.{8}$/, 'AAAAAAAA') },
  ],
  [
    'a critical header',
    'token_response',
    { sign: claims => provider().signClaims(claims, { header: { crit: ['b64'], b64: true } }) },
  ],
  ['the hash of another access token', 'access_token', { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }],
  ['an e-mail that is not verified', 'email_unverified', { claims: { email_verified: false } }],
  ['no e-mail', 'email_missing', { claims: { email: undefined }, userinfo: { email: undefined } }],
  ['a text that is no e-mail', 'email_missing', { claims: { email: 'ada' } }],
  ['userinfo of another user', 'user_info', { claims: { email: undefined }, userinfo: { sub: 'other' } }],
  ['no ID token', 'token_response', { tokens: { id_token: undefined } }],
  ['an ID token that is none', 'token_response', { tokens: { id_token: 'a.b.c' } }],
  ['an encrypted ID token', 'token_response', { tokens: { id_token: 'a.b.c.d.e' } }],
  ['no access token', 'token_response', { tokens: { access_token: undefined } }],
  ['an error of the user', 'provider_error', { response: { error: 'access_denied', code: undefined } }],
  ['no code', 'token_response', { response: { code: undefined } }],
  ['a code that it does not know', 'token_request', { response: { code: 'other' } }],
  ['an answer without the issuer that it announces', 'response_issuer', { response: { iss: undefined } }],
  ['an answer in the name of another issuer', 'response_issuer', { response: { iss: 'https://other.test' } }],
  [
    'a redirect from its token endpoint',
    'token_response',
    { answers: { '/token': (_request, response) => response.writeHead(307, { location: '/token2' }).end() } },
  ],
  ['a token endpoint that never answers', 'token_response', { answers: { '/token': () => undefined } }],
  [
    'keys that never end',
    'keys',
    { answers: { '/keys': (_request, response) => void response.writeHead(200).write('{') } },
  ],
  ['keys that are none', 'keys', { answers: { '/keys': (_request, response) => response.end('{"keys":1}') } }],
]

const metadata = '/.well-known/openid-configuration'

/** Replies of a provider instead of its metadata. */
export const hostileMetadata: [string, Partial<ProviderBehaviour>][] = [
  ['metadata of another issuer', { metadata: { issuer: 'https://other.test' } }],
  ['metadata without an issuer', { metadata: { issuer: undefined } }],
  ['metadata without an authorization endpoint', { metadata: { authorization_endpoint: undefined } }],
  ['metadata with a token endpoint without TLS', { metadata: { token_endpoint: 'http://recto.test/token' } }],
  ['metadata without keys', { metadata: { jwks_uri: undefined } }],
  ['metadata that are no JSON', { answers: { [metadata]: (_request, response) => response.end('hello') } }],
  [
    'metadata that redirect',
    { answers: { [metadata]: (_request, response) => response.writeHead(302, { location: '/' }).end() } },
  ],
  ['metadata that never come', { answers: { [metadata]: () => undefined } }],
  [
    'metadata that never end',
    {
      answers: {
        [metadata]: (_request, response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      },
    },
  ],
  [
    'metadata of a gigabyte',
    {
      answers: {
        [metadata]: (_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000_000 })
          response.write('x'.repeat(1_000))
        },
      },
    },
  ],
  [
    'metadata that grow without an end',
    {
      answers: {
        [metadata]: (_request, response) => {
          const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more))
          response.writeHead(200, { 'content-type': 'application/json' })
          more()
        },
      },
    },
  ],
]
