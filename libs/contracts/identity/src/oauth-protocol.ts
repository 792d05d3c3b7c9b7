import type { BodyForm, FailureCode, FailurePage, Protocol } from '@recto/operation'
import { anyone, endpoints, reads } from '@recto/contracts-shared'
import { z } from 'zod'

/** The errors of OAuth 2.0 (RFC 6749, section 5.2, and RFC 8628) by the failure that the gateway or the bus has. */
const oauthErrors: Record<FailureCode, string> = {
  invalid_request: 'invalid_request',
  unauthenticated: 'invalid_client',
  forbidden: 'access_denied',
  not_found: 'invalid_request',
  method_not_allowed: 'invalid_request',
  conflict: 'invalid_request',
  gone: 'invalid_request',
  precondition_failed: 'invalid_request',
  too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  rate_limited: 'slow_down',
  internal: 'server_error',
  unavailable: 'temporarily_unavailable',
  timeout: 'temporarily_unavailable',
}

const form = {
  mediaType: 'application/json',
  errorBody: ({ code, message }) => ({ error: oauthErrors[code], error_description: message }),
} as const satisfies BodyForm

/** The page of a failure of an authorization that the authorization server itself does not answer. */
const notAuthorized = {
  title: 'This does not work',
  messages: {
    rate_limited: 'There were too many attempts. Wait a minute, and try again.',
    unavailable: 'This is not possible at the moment. Try again in a minute.',
    timeout: 'This took too long. Try again in a minute.',
    not_found: 'There is nothing at this address. Begin again where you came from: in the program, or at the site.',
    method_not_allowed:
      'There is nothing at this address. Begin again where you came from: in the program, or at the site.',
    too_large: 'What was entered is too long. Go back, and enter less.',
    invalid_request:
      'The browser has sent something that is no form of this page. Begin again where you came from: in the program, or at the site.',
    unsupported_media_type:
      'The browser has sent something that is no form of this page. Begin again where you came from: in the program, or at the site.',
  },
  otherwise: 'Something went wrong on our side. Begin again where you came from: in the program, or at the site.',
} as const satisfies FailurePage

/** Parameters as they come: the authorization server checks them, repeated ones too. */
const query = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

const HttpReply = z
  .object({
    status: z.number().int(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  })
  .meta({ id: 'HttpReply', description: 'A whole HTTP reply' })

const headers = ['accept', 'authorization', 'content-type', 'cookie', 'user-agent'] as const
const maxBody = 65_536
const read = { request: { headers }, query, reply: HttpReply, access: anyone } as const
const page = { ...read, response: { isWhole: true, failurePage: notAuthorized } } as const
const document = { ...read, response: { isWhole: true } } as const
const sent = { ...read, request: { headers, raw: true } } as const
const submitted = {
  ...sent,
  response: { isWhole: true, failurePage: notAuthorized },
  limits: { bodyBytes: maxBody, rate: 'signIn' },
} as const
const program = { ...sent, response: { isWhole: true }, limits: { bodyBytes: maxBody } } as const
const errors = ['not_found'] as const

/** Pages and endpoints of the OAuth authorization server. */
export const oauthEndpoints = endpoints({
  startAuthorization: { route: 'GET /authorize', summary: 'Begin an authorization', ...page },
  resumeAuthorization: { route: 'GET /authorize/{uid}', summary: 'Go on with an authorization', ...page, errors },
  startVisit: { route: 'GET /visits', summary: 'Sign a member in for a site of their organization', ...page },
  askToEndVisit: { route: 'GET /visits/end', summary: 'Ask a member who signs out at a site', ...page },
  confirmVisitEnd: {
    route: 'POST /visits/end',
    summary: 'Sign out a member who has come from a site',
    ...submitted,
    isIdempotent: true,
    records: ['session.ended'],
  },
  showInteraction: { route: 'GET /interactions/{uid}', summary: 'Show what the person is asked', ...page, errors },
  signInToInteraction: {
    route: 'POST /interactions/{uid}/sign-in',
    summary: 'Sign in with an access token',
    ...submitted,
    isIdempotent: true,
    records: ['session.created', 'session.ended'],
    errors,
  },
  findSignIn: {
    route: 'POST /interactions/{uid}/organization',
    summary: 'Find the single sign-on of an organization',
    ...submitted,
    isIdempotent: true,
    records: reads,
    errors,
  },
  continueInteraction: {
    route: 'GET /interactions/{uid}/signed-in',
    summary: 'Go on after a single sign-on',
    ...page,
    errors,
  },
  answerInteraction: {
    route: 'POST /interactions/{uid}/answer',
    summary: 'Allow or deny what a program asks for',
    ...submitted,
    creates: 'effect',
    records: ['oauth-grant.created', 'session.ended'],
    errors,
  },
  exchangeToken: {
    route: 'POST /token',
    summary: 'Get tokens (RFC 6749, section 3.2)',
    ...program,
    creates: 'effect',
    records: ['oauth-grant.ended'],
  },
  revokeOAuthToken: {
    route: 'POST /revoke',
    summary: 'Revoke a token (RFC 7009)',
    ...program,
    isIdempotent: true,
    records: ['oauth-grant.ended'],
  },
  introspectOAuthToken: {
    route: 'POST /introspect',
    summary: 'Describe a token (RFC 7662)',
    ...program,
    isIdempotent: true,
    records: reads,
  },
  registerOAuthClient: {
    route: 'POST /register',
    summary: 'Register a program (RFC 7591)',
    ...program,
    limits: { bodyBytes: maxBody, rate: 'signIn' },
    creates: 'effect',
    records: { nothing: 'A program that registers itself belongs to no organization' },
  },
  authorizeDevice: {
    route: 'POST /device-authorization',
    summary: 'Begin the authorization of a device (RFC 8628)',
    ...program,
    creates: 'effect',
    records: { nothing: 'A code is for nobody yet' },
  },
  showDevicePage: { route: 'GET /device', summary: 'Show the page for the code of a device', ...page },
  submitDeviceCode: {
    route: 'POST /device',
    summary: 'Enter or confirm the code of a device',
    ...submitted,
    isIdempotent: true,
    records: { nothing: 'What is allowed is recorded when it is' },
  },
  resumeDevice: {
    route: 'GET /device/{uid}',
    summary: 'Go on with the authorization of a device',
    ...page,
    errors,
  },
  listOAuthKeys: { route: 'GET /jwks', summary: 'List the public keys of the authorization server', ...document },
})

/** Documents at well-known addresses (RFC 8414, RFC 9728). */
export const oauthDocuments = endpoints({
  getAuthorizationServer: {
    route: 'GET /oauth-authorization-server',
    summary: 'Describe the authorization server (RFC 8414)',
    ...document,
  },
  getOpenIdConfiguration: {
    route: 'GET /openid-configuration',
    summary: 'Describe the authorization server to programs that know this address only',
    ...document,
  },
  getProtectedResource: {
    route: 'GET /oauth-protected-resource',
    summary: 'Describe the API as a protected resource (RFC 9728)',
    ...document,
  },
  getProtectedApi: {
    route: 'GET /oauth-protected-resource/v1',
    summary: 'Describe the API as a protected resource, below its path',
    ...document,
  },
  getProtectedMcp: {
    route: 'GET /oauth-protected-resource/mcp',
    summary: 'Describe the API as tools as a protected resource',
    ...document,
  },
})

/** OAuth 2.1: its endpoints and pages. */
export const oauth = { base: '/oauth', ...form, api: { identity: oauthEndpoints } } as const satisfies Protocol

/** OAuth 2.1: its documents at well-known addresses. */
export const wellKnown = {
  base: '/.well-known',
  ...form,
  api: { identity: oauthDocuments },
} as const satisfies Protocol

/** Operations of OAuth that identity answers. */
export const identityOAuth = { ...oauthEndpoints, ...oauthDocuments }
