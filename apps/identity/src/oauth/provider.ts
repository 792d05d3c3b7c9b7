import { randomBytes } from 'node:crypto'
import { createToken } from '@recto/actor'
import { keysFor } from '@recto/actor/derived-keys'
import { openVisitRequest } from '@recto/actor/visit-request'
import type { Secrets } from '@recto/operation'
import Provider, { errors, interactionPolicy, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { createAdapter } from './adapter.ts'
import { accountOf } from './account.ts'
import { interactionPath } from './interaction-path.ts'
import { oauthKeys } from './keys.ts'
import { currentWork } from './current-work.ts'
import { renderConfirmation, renderError, renderSuccess, renderUserCode } from './device-pages.ts'
import { asksForScope, grantableScopes, noScope } from './scopes.rules.ts'
import { sessionTtl } from './session-ttl.rules.ts'
import { supplyUrlParse } from './url-parse.ts'
import { visitClient, visitClientId, visitGrant, visitScope } from './visit-client.ts'

/** The parts that the authorization server is made with. */
export interface ProviderSettings {
  publicUrl: string
  secrets: Secrets
  /** Whether programs may register themselves. */
  allowsRegistration: boolean
  /** Lifetimes in seconds. */
  ttl: { accessToken: number; grant: number; sessionIdle: number; session: number }
}

/** Seconds for which a person may decide, and for which a device waits. */
const interactionTtl = 900
const codeTtl = 60
/** Letters of the codes of devices: consonants make no words (RFC 8628, section 6.1). */
const userCodeMask = '****-****'

/** The program of the command line. */
export const commandLineClient = 'recto-cli'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Makes the authorization server: OAuth 2.1 by the library, with our pages, our storage and our scopes. */
export function createProvider(settings: ProviderSettings): Provider {
  supplyUrlParse()
  const provider = new Provider(settings.publicUrl, configurationOf(settings))
  // The gateway is a proxy: it says by a header whether the browser speaks https.
  provider.proxy = true
  // The form of our tokens lets secret scanners recognise a leaked one.
  Object.assign(provider.AccessToken.prototype, { generateTokenId: createOwnToken })
  Object.assign(provider.Session.prototype, { resetIdentifier: renameSession })
  provider.on('server_error', (_ctx, err) => currentWork().context.log.error({ err }, 'the OAuth server failed'))
  provider.use(describeServer)
  return provider
}

/** Makes the value of an access token, which is opaque. */
function createOwnToken(this: { format?: string }): string {
  this.format = 'opaque'
  return createToken()
}

/** Gives a session another id, in its row: the library would delete that, and what ends the session meanwhile would find none. */
function renameSession(this: { jti: string; touched: boolean }): void {
  this.jti = randomBytes(32).toString('base64url')
  this.touched = true
}

function configurationOf(settings: ProviderSettings): Configuration {
  const { publicUrl, secrets, ttl } = settings
  return {
    adapter: createAdapter,
    clients: [
      {
        client_id: commandLineClient,
        client_name: 'The command line of Recto',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: [deviceGrant, 'refresh_token'],
        response_types: [],
        redirect_uris: [],
      },
      visitClient(publicUrl),
    ],
    clientDefaults: { id_token_signed_response_alg: 'EdDSA', grant_types: ['authorization_code', 'refresh_token'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    cookies: cookiesOf(publicUrl, secrets),
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    features: featuresOf(settings),
    findAccount: accountOf,
    expiresWithSession: () => Promise.resolve(false),
    interactions: { policy: policy(), url: (_ctx, { uid }) => interactionPath(uid) },
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    jwks: { keys: oauthKeys(secrets) },
    loadExistingGrant: existingGrant,
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    renderError,
    responseTypes: ['code', 'none'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      registration: '/oauth/register',
      device_authorization: '/oauth/device-authorization',
      code_verification: '/oauth/device',
      jwks: '/oauth/jwks',
      end_session: '/oauth/end-session',
    },
    scopes: [],
    ttl: {
      AccessToken: ctx => Math.min(ttl.accessToken, remainingOf(ctx, ttl.grant)),
      AuthorizationCode: codeTtl,
      DeviceCode: interactionTtl,
      Grant: ttl.grant,
      Interaction: interactionTtl,
      RefreshToken: ctx => remainingOf(ctx, ttl.grant),
      Session: (_ctx, session) => sessionTtl(session.loginTs, nowInSeconds(), ttl),
    },
  }
}

function featuresOf({ publicUrl, allowsRegistration, ttl }: ProviderSettings): NonNullable<Configuration['features']> {
  const resources = [`${publicUrl}/v1`, `${publicUrl}/mcp`, publicUrl, `${publicUrl}/`]
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    claimsParameter: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    registration: { enabled: allowsRegistration, issueRegistrationAccessToken: false },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: userCodeMask,
      userCodeInputSource: renderUserCode,
      userCodeConfirmSource: renderConfirmation,
      successSource: renderSuccess,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? `${publicUrl}/v1`,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (!resources.includes(resource)) throw new errors.InvalidTarget('unknown resource')
        return { scope: grantableScopes.join(' '), accessTokenFormat: 'opaque', accessTokenTTL: ttl.accessToken }
      },
    },
  }
}

function cookiesOf(publicUrl: string, secrets: Secrets): NonNullable<Configuration['cookies']> {
  const isSecure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true, secure: isSecure } as const
  const keys = keysFor(secrets, 'recto cookies of the oauth server').map(key => Buffer.from(key).toString('base64url'))
  return {
    keys,
    // The cookie of a session is one of this host alone; the others are of one path, for which no such name exists.
    names: {
      session: `${isSecure ? '__Host-' : ''}recto-session`,
      interaction: `${isSecure ? '__Secure-' : ''}recto-interaction`,
      resume: `${isSecure ? '__Secure-' : ''}recto-resume`,
    },
    long: options,
    short: options,
  }
}

/** Whether somebody signs in for one of our sites: no program asks, and nothing is allowed. */
const isForSite = ({ oidc }: KoaContextWithOIDC) => oidc.client?.clientId === visitClientId

/** Refuses a request in the name of our own sites for more than to sign in: they ask for nothing that somebody could allow. */
async function requireSignInAlone({ scope, prompt, state }: Record<string, unknown>): Promise<void> {
  if (scope !== visitScope) throw new errors.InvalidScope('sites ask for no scope', '')
  if (prompt !== undefined && prompt !== 'login') throw new errors.InvalidRequest('sites ask for no decision')
  const { publicUrl, signingSecret } = currentWork().context
  if (typeof state !== 'string' || !(await openVisitRequest(state, publicUrl, signingSecret)))
    throw new errors.InvalidRequest('a site begins this, and nobody else')
}

/** Asks for a decision each time, but for our own sites: what was allowed before may have been allowed to another program with the same id. */
function policy() {
  const { base, Check } = interactionPolicy
  const prompts = base()
  const gone = new Check('sign_in_ended', 'the sign-in has ended', ctx => ctx.oidc.account === undefined)
  const asks = new Check('no_scope', 'no scope is asked for', async ctx => {
    const { scope } = ctx.oidc.params ?? {}
    if (isForSite(ctx)) await requireSignInAlone(ctx.oidc.params ?? {})
    else if (!asksForScope(typeof scope === 'string' ? scope : undefined)) throw new errors.InvalidScope(noScope, '')
    return false
  })
  prompts.get('login')?.checks.add(gone)
  prompts.get('login')?.checks.add(asks)
  const unasked = new Check('unasked', 'each authorization is asked for', 'consent_required', ctx => {
    return !isForSite(ctx) && ctx.oidc.result?.consent === undefined
  })
  prompts.get('consent')?.checks.add(unasked)
  return prompts
}

/** The grant of the decision that was just made, never one of the session. */
async function existingGrant(ctx: KoaContextWithOIDC) {
  if (isForSite(ctx)) return visitGrant(ctx)
  const id = ctx.oidc.result?.consent?.grantId
  return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
}

/** Tokens are described to, and revoked by, the program that has them, and no other. */
function isOwnToken(_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean {
  return token.clientId === client.clientId
}

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** The seconds until a grant ends; a second where it is about to. */
function remainingOf(ctx: KoaContextWithOIDC, otherwise: number): number {
  const { exp } = ctx.oidc.entities.Grant ?? {}
  return exp === undefined ? otherwise : Math.max(1, exp - nowInSeconds())
}

/** Documents change with the settings of the installation. */
export const documentLifetime = 'public, max-age=300'

/** Fields of OpenID Connect, which is not offered: programs get access, and no identity. */
const openIdFields = [
  'claims_parameter_supported',
  'claims_supported',
  'id_token_signing_alg_values_supported',
  'subject_types_supported',
  'acr_values_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'request_uri_parameter_supported',
]

async function describeServer(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.oidc?.route === 'introspection') await describeOwner(ctx)
  if (ctx.oidc?.route === 'discovery' || ctx.oidc?.route === 'jwks') ctx.set('cache-control', documentLifetime)
  if (ctx.oidc?.route !== 'discovery') return
  const document = ctx.body as Record<string, unknown>
  ctx.body = Object.fromEntries([
    ...Object.entries(document).filter(([name]) => !openIdFields.includes(name)),
    ['response_modes_supported', ['query']],
    ['response_types_supported', ['code']],
    ['scopes_supported', grantableScopes],
    ['introspection_endpoint_auth_methods_supported', document['token_endpoint_auth_methods_supported']],
    ['revocation_endpoint_auth_methods_supported', document['token_endpoint_auth_methods_supported']],
  ])
}

/** The owner of a token is a user to programs, and not the sign-in that the library knows. */
async function describeOwner(ctx: KoaContextWithOIDC): Promise<void> {
  const body = ctx.body as { sub?: unknown }
  if (typeof body.sub !== 'string') return
  const account = await accountOf(ctx, body.sub)
  ctx.body = account ? { ...body, sub: account.userId } : { active: false }
}
