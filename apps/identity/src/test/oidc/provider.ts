import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'

export const clientId = 'recto-docs'
export const clientSecret = 'a-client-secret: 100% +'

/** A key of a provider, with its public part as the provider publishes it. */
export interface ProviderKey {
  privateKey: CryptoKey
  jwk: JWK
}

/** How a provider differs from one that does all right. */
export interface Behaviour {
  /** Claims of the user, besides `sub` and `email`. */
  user: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Replaces claims of the ID token; undefined ones are left out. */
  claims: Record<string, unknown>
  /** Signs the ID token. */
  sign: (claims: Record<string, unknown>) => Promise<string> | string
  /** Replaces fields of the reply of the token endpoint. */
  tokens: Record<string, unknown>
  userinfo: Record<string, unknown>
  /** Replaces parameters of the answer. */
  response: Record<string, string | undefined>
  /** Runs before the token endpoint answers. */
  beforeTokens: () => Promise<unknown>
  /** Answers requests of a path instead. */
  answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>
}

/** An OpenID provider in the test process, over http on loopback. */
export interface TestProvider {
  issuer: string
  behave(behaviour: Partial<Behaviour>): void
  /** The keys that it publishes; the first one signs. */
  keys: ProviderKey[]
  /** Paths of the requests that came. */
  requests: string[]
  /** Signs in the user, as in a browser that came to the address: resolves to where the browser is sent back. */
  authorize(location: string, email: string): Promise<URL>
  /** Signs claims as this provider does; times and ids are added. */
  sign(
    claims: Record<string, unknown>,
    options?: { key?: ProviderKey; header?: Record<string, unknown> },
  ): Promise<string>
  stop(): Promise<void>
}

export async function aProviderKey(kid: string = randomBytes(4).toString('hex'), alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

interface Grant {
  email: string
  nonce: string
  challenge: string
  redirectUri: string
}

/** Whether a token request has the secret, by HTTP Basic (RFC 6749, section 2.3.1) or in the form. */
function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
  const [id, secret] = basic.split(':').map(part => decodeURIComponent(part.replaceAll('+', ' ')))
  const sent = headers.authorization ? [id, secret] : [form.get('client_id'), form.get('client_secret')]
  return sent[0] === clientId && sent[1] === clientSecret
}

export const now = () => Math.floor(Date.now() / 1000)

export async function aProvider(): Promise<TestProvider> {
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, string>()
  let behaviour: Partial<Behaviour> = {}
  const keys = [await aProviderKey()]
  const requests: string[] = []

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', issuer).pathname
    requests.push(path)
    const answer = behaviour.answers?.[path] ?? ((...exchange) => void reply(path, ...exchange))
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sign: TestProvider['sign'] = (claims, { key = keys[0] as ProviderKey, header = {} } = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: key.jwk.alg ?? '', ...(key.jwk.kid && { kid: key.jwk.kid }), ...header })
      .sign(key.privateKey)

  const userClaims = (email: string) => ({ email, email_verified: true, name: 'Ada Lovelace', ...behaviour.user })

  async function tokens(request: IncomingMessage): Promise<Record<string, unknown>> {
    const form = new URLSearchParams(await text(request))
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isClient(request, form)) return { error: 'invalid_client' }
    if (!grant || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri)
      return { error: 'invalid_grant', error_description: 'no' }
    await behaviour.beforeTokens?.()
    const accessToken = randomBytes(16).toString('hex')
    const sub = `sub of ${grant.email}`
    accessTokens.set(accessToken, grant.email)
    const claims = {
      iss: issuer,
      aud: clientId,
      sub,
      sid: `sid of ${grant.nonce}`,
      iat: now(),
      exp: now() + 300,
      nonce: grant.nonce,
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...userClaims(grant.email),
      ...behaviour.claims,
    }
    const signed = await (behaviour.sign ?? sign)(JSON.parse(JSON.stringify(claims)) as Record<string, unknown>)
    return { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: signed, ...behaviour.tokens }
  }

  async function reply(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: Record<string, unknown>, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration')
      return void send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/logout`,
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA', 'HS256', 'none'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        ...behaviour.metadata,
      })
    if (path === '/keys') return void send({ keys: keys.map(({ jwk }) => jwk) })
    if (path === '/token') {
      const body = await tokens(request)
      return void send(body, 'error' in body ? 400 : 200)
    }
    const email = accessTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (path === '/userinfo' && email !== undefined)
      return void send({ sub: `sub of ${email}`, ...userClaims(email), ...behaviour.userinfo })
    send({}, 404)
  }

  return {
    issuer,
    keys,
    requests,
    sign,
    behave: next => void (behaviour = next),
    async authorize(location, email) {
      const { searchParams } = new URL(location)
      const of = (name: string) => searchParams.get(name) ?? ''
      const code = randomBytes(16).toString('hex')
      grants.set(code, { email, nonce: of('nonce'), challenge: of('code_challenge'), redirectUri: of('redirect_uri') })
      const url = new URL(of('redirect_uri'))
      const parameters = { code, state: of('state'), iss: issuer, ...behaviour.response }
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
      return url
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
