import {
  anyUser,
  empty,
  endpoints,
  Id,
  inOrganization,
  list,
  page,
  text,
  Timestamp,
  TokenScope,
  Url,
  User,
} from '@recto/contracts-shared'
import { z } from 'zod'
import { RedirectUri } from './redirect-uri.ts'

const program = z
  .object({ id: z.string(), name: z.string(), host: z.string().optional().describe('Left out for a device') })
  .describe('The program, and the host that it sends people back to')

const OAuthGrant = z
  .object({
    object: z.literal('oauth-grant'),
    id: Id,
    program,
    user: User.describe('Who has allowed it'),
    scopes: z.array(TokenScope),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastUsedAt: Timestamp.optional().describe('When it last gave out an access token'),
  })
  .meta({ id: 'OAuthGrant', description: 'What a user has allowed a program' })

const Session = z
  .object({
    object: z.literal('session'),
    id: Id,
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp.describe(
      'When it ends, unless it is used before; at the latest some hours after its beginning',
    ),
    userAgent: z.string().optional().describe('The browser that began it'),
  })
  .meta({ id: 'Session', description: 'A session of a browser at the authorization pages' })

const OAuthClient = z
  .object({
    object: z.literal('oauth-client'),
    id: z.string(),
    name: z.string(),
    type: z.enum(['public', 'confidential']).describe('Whether the program can keep a secret'),
    redirectURIs: z.array(z.string()).describe('Where people are sent back to'),
    createdAt: Timestamp,
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'OAuthClient', description: 'A program that members of the organization may authorize' })

const CreatedOAuthClient = OAuthClient.extend({
  clientSecret: z.string().optional().describe('The secret of a confidential program; shown only in this reply'),
}).meta({ id: 'CreatedOAuthClient', description: 'A program with its secret' })

/** A program to register. */
export const CreateOAuthClient = z
  .object({
    name: text({ min: 1, max: 64 }),
    type: z.enum(['public', 'confidential']).default('public'),
    redirectURIs: z
      .array(RedirectUri)
      .min(1)
      .max(20)
      .describe('Where people are sent back to: https, or http at a loopback address, or a scheme of the program'),
  })
  .meta({ id: 'CreateOAuthClient', description: 'A program to register' })

const errors = ['not_found'] as const
const ownTokens = { scope: 'user:tokens:write', access: { ...anyUser, group: 'admin' } } as const
const grantsPath = '/orgs/{organizationId}/oauth-grants'
const clientsPath = '/orgs/{organizationId}/oauth-clients'

/** Operations on grants of programs, on programs, and on sessions. */
export const oauthApi = endpoints({
  listGrants: {
    route: 'GET /user/grants',
    summary: 'List what you have allowed programs',
    description: 'The newest come first. A token of a single sign-on lists those that came from it.',
    query: page,
    reply: list(OAuthGrant),
    scope: 'user:tokens:read',
    access: anyUser,
  },
  deleteGrant: {
    route: 'DELETE /user/grants/{oauthGrantId}',
    summary: 'End what you have allowed a program',
    description: "Its tokens are refused from now on. One that is not there, or is somebody else's, is left as it is.",
    reply: empty,
    status: 204,
    records: ['oauth-grant.ended'],
    ...ownTokens,
  },
  listSessions: {
    route: 'GET /user/sessions',
    summary: 'List your sessions at the authorization pages',
    description: 'The newest come first: browsers in which you are signed in, to allow programs something.',
    query: page,
    reply: list(Session),
    scope: 'user:tokens:read',
    access: anyUser,
  },
  deleteSession: {
    route: 'DELETE /user/sessions/{sessionId}',
    summary: 'End one of your sessions',
    description:
      'The browser is signed out. What was allowed to programs stays. One that is not there is left as it is.',
    reply: empty,
    status: 204,
    records: ['session.ended'],
    ...ownTokens,
  },
  listOrganizationGrants: {
    route: `GET ${grantsPath}`,
    summary: 'List what members have allowed programs',
    description: 'The newest come first; those that came from the single sign-on of another organization are left out.',
    query: page,
    reply: list(OAuthGrant),
    errors,
    scope: 'organization:oauth:read',
    access: inOrganization('admin'),
  },
  deleteOrganizationGrant: {
    route: `DELETE ${grantsPath}/{oauthGrantId}`,
    summary: 'End what a member has allowed a program',
    description:
      'Its tokens are refused from now on, in other organizations of the member, too. One that is not there is no error.',
    reply: empty,
    status: 204,
    errors,
    records: ['oauth-grant.ended'],
    scope: 'organization:oauth:write',
    access: inOrganization('admin'),
  },
  listOAuthClients: {
    route: `GET ${clientsPath}`,
    summary: 'List the programs that an organization has registered',
    description: 'The newest come first, without their secrets.',
    query: page,
    reply: list(OAuthClient),
    errors,
    scope: 'organization:oauth:read',
    access: inOrganization('admin'),
  },
  createOAuthClient: {
    route: `POST ${clientsPath}`,
    summary: 'Register a program',
    description:
      'Members of the organization may authorize it, nobody else. The secret of a confidential program is in this reply and in no other.',
    body: CreateOAuthClient,
    reply: CreatedOAuthClient,
    creates: 'resource',
    errors,
    records: ['oauth-client.created'],
    scope: 'organization:oauth:write',
    access: inOrganization('admin'),
    examples: [{ body: { name: 'Wiki search', redirectURIs: ['https://search.recto.test/callback'] } }],
  },
  deleteOAuthClient: {
    route: `DELETE ${clientsPath}/{oauthClientId}`,
    summary: 'Delete a program',
    description: 'What members have allowed it ends, with its tokens. One that is not there is no error.',
    reply: empty,
    status: 204,
    errors,
    records: ['oauth-client.deleted', 'oauth-grant.ended'],
    scope: 'organization:oauth:write',
    access: inOrganization('admin'),
    examples: [{ params: { oauthClientId: '{ownOauthClientId}' } }],
  },
})
