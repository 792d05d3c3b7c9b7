import { z } from 'zod'
import {
  anyone,
  empty,
  endpoints,
  HttpUrl,
  Id,
  inOrganization,
  list,
  page,
  text,
  Timestamp,
  Url,
} from '@recto/contracts-shared'
import { newUserDefaults, newUserSettings, notSignedIn, signInQuery } from './sign-in-parts.ts'

const OidcProvider = z
  .object({
    object: z.literal('oidc-provider'),
    id: Id,
    label: z.string(),
    issuer: z.string().describe('Issuer of the provider; empty while there is none'),
    clientID: z.string().describe('Id that the provider has given to this application'),
    hasClientSecret: z.boolean().describe('Whether a secret is set, which no reply shows'),
    emailDomains: z.array(z.string()).describe('Domains whose e-mails may sign in; `*` stands for all'),
    scopes: z.array(z.string()),
    ...newUserDefaults,
    createdAt: Timestamp,
    status: z
      .enum(['pending', 'active'])
      .describe('Active once issuer, client id, client secret and e-mail domains are set'),
    service: z
      .object({ redirectURL: Url, backchannelLogoutURL: Url, startURL: Url })
      .describe('Settings for the provider: our URLs'),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'OidcProvider', description: 'An OpenID provider that members sign in with' })

const domain = text({ max: 253 }).regex(/^(?:\*|[^\s@*]+\.[^\s@*]+)$/, 'must be a domain name, or `*`')

const settings = {
  issuer: HttpUrl.or(z.literal('')).nullable().optional().describe('Exactly as the provider names itself'),
  clientID: text({ max: 255 }).nullable().optional().describe('Id that the provider has given to this application'),
  clientSecret: text({ max: 1024 })
    .nullable()
    .optional()
    .describe('Stored encrypted, and never shown; empty and null clear it'),
  emailDomains: z
    .array(domain)
    .max(100)
    .optional()
    .describe('Domains whose e-mails may sign in; `*` for all that the provider asserts'),
  scopes: z
    .array(text({ min: 1, max: 255 }).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope (RFC 6749)'))
    .max(20)
    .optional()
    .describe('Scopes to ask for, with `openid` in any case; `openid`, `email` and `profile` unless given'),
  ...newUserSettings,
}

const CreateOidcProvider = z
  .object({ label: text({ min: 1, max: 30 }), ...settings })
  .meta({ id: 'CreateOidcProvider', description: 'An OpenID provider to create' })
const UpdateOidcProvider = z
  .object({ label: text({ min: 1, max: 30 }).optional(), ...settings })
  .meta({ id: 'UpdateOidcProvider', description: 'Fields of an OpenID provider to update' })

const maxParameter = 4096
const parameter = z.string().max(maxParameter).optional()

const LogoutToken = z
  .object({ logout_token: z.string().min(1).max(16_384) })
  .meta({ id: 'OidcLogoutToken', description: 'The form of OpenID Connect Back-Channel Logout 1.0' })

/** Operations on OpenID providers, and the sign-in itself. */
export const oidc = endpoints({
  listOidcProvidersInOrganization: {
    route: 'GET /orgs/{organizationId}/oidc',
    summary: 'List the OpenID providers of an organization',
    description: 'The newest come first, with those that nobody can sign in with yet (`pending`).',
    query: page,
    reply: list(OidcProvider),
    errors: ['not_found'],
    scope: 'organization:sso:read',
    access: inOrganization('admin'),
  },
  createOidcProvider: {
    route: 'POST /orgs/{organizationId}/oidc',
    summary: 'Create an OpenID provider',
    description:
      'It becomes `active` when issuer, client id, client secret and e-mail domains are set; `service` of the reply names what the provider has to know. A `defaultRole` above your own is refused (403), and a `defaultTeam` that the organization does not have (404).',
    body: CreateOidcProvider,
    reply: OidcProvider,
    creates: 'resource',
    errors: ['not_found'],
    records: ['oidc-provider.created'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
    examples: [{ body: { label: 'Company login', defaultTeam: '{teamId}' } }],
  },
  getOidcProvider: {
    route: 'GET /orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Get an OpenID provider',
    description: '`service` has the settings for the provider, `status` says whether members can sign in.',
    reply: OidcProvider,
    errors: ['not_found'],
    scope: 'organization:sso:read',
    access: inOrganization('admin'),
  },
  updateOidcProvider: {
    route: 'PATCH /orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Update an OpenID provider',
    description:
      'Fields that are left out stay. Tokens of earlier sign-ins end when the provider is not complete any more, or gets another `issuer` or `clientID`; a new `clientSecret` ends none. Another `issuer` needs a `clientSecret` in the same request, so that none is sent to whom it is not of.',
    body: UpdateOidcProvider,
    reply: OidcProvider,
    errors: ['not_found'],
    records: ['oidc-provider.updated'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
    examples: [{ body: { defaultTeam: '{teamId}' } }],
  },
  deleteOidcProvider: {
    route: 'DELETE /orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Delete an OpenID provider',
    description: 'Tokens that came from it end; users and members stay. A provider that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['oidc-provider.deleted'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
  },
  startOidcSignIn: {
    route: 'GET /orgs/{organizationId}/oidc/{oidcProviderId}/start',
    summary: 'Start a sign-in: redirect to the OpenID provider',
    description:
      'The sign-in has to be completed within ten minutes, in the same browser: it gets a cookie for that. With `interaction` it ends at the authorization pages instead of a page with a token. A provider that is not complete is 404; failures are pages for the person who sees them.',
    query: signInQuery,
    reply: empty,
    status: 302,
    response: { failurePage: notSignedIn },
    limits: { timeoutMs: 20_000 },
    access: anyone,
    // The tests of all operations have no provider to reach: theirs is pending.
    examples: [{ answers: 404 }],
    errors: ['not_found', 'unauthenticated'],
  },
  completeOidcSignIn: {
    route: 'GET /orgs/{organizationId}/oidc/{oidcProviderId}/callback',
    summary: 'Complete a sign-in: redeem the code of the OpenID provider and show an access token',
    description:
      'The provider sends the browser here, as an answer to a sign-in that this browser began; it is accepted once. The token is valid in this organization alone, for a day unless the installation says otherwise. A refusal (401) does not say why: the log does.',
    query: z.object({
      state: parameter,
      code: parameter,
      iss: parameter,
      error: parameter,
      error_description: parameter,
    }),
    request: { headers: ['cookie'] },
    response: { mediaType: 'text/html', failurePage: notSignedIn },
    reply: z.string(),
    limits: { timeoutMs: 60_000 },
    records: [
      'member.signed-in',
      'member.sign-in.refused',
      'member.added',
      'member.updated',
      'team.member.added',
      'invite.deleted',
    ],
    access: anyone,
    examples: [{ query: { state: 'nothing', code: 'nothing' }, answers: 404 }],
    errors: ['not_found', 'unauthenticated'],
  },
  receiveOidcLogout: {
    route: 'POST /orgs/{organizationId}/oidc/{oidcProviderId}/backchannel-logout',
    summary: 'End the tokens of a session that ended at the OpenID provider',
    description:
      'The provider calls it with a signed logout token, which is accepted once (OpenID Connect Back-Channel Logout 1.0). A session that has no tokens is no error; a token that is not valid is 400, and the log says why.',
    request: { form: true },
    body: LogoutToken,
    reply: empty,
    isIdempotent: true,
    limits: { timeoutMs: 30_000, bodyBytes: 65_536 },
    records: ['member.signed-out'],
    access: anyone,
    examples: [{ form: { logout_token: 'bm90aGluZw' }, answers: 404 }],
    errors: ['not_found'],
  },
  startOidcLogout: {
    route: 'GET /orgs/{organizationId}/oidc/{oidcProviderId}/logout',
    summary: 'Sign out at the OpenID provider: redirect to where it ends sessions',
    description:
      'OpenID Connect RP-Initiated Logout 1.0. The provider asks the user, and tells our `backchannelLogoutURL`, which ends the tokens. A provider that has no such address is 404.',
    reply: empty,
    status: 302,
    response: {
      failurePage: {
        title: 'You are not signed out',
        messages: { not_found: 'The provider has no address that signs out. Sign out where you signed in.' },
        otherwise: 'Signing out is not possible at the moment. Try again in a minute.',
      },
    },
    limits: { timeoutMs: 20_000 },
    access: anyone,
    // The tests of all operations have no provider to reach: theirs is pending.
    examples: [{ answers: 404 }],
    errors: ['not_found'],
  },
})
