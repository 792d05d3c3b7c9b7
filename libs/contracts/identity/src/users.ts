import { scopeGroups } from '@recto/operation'
import { z } from 'zod'
import {
  empty,
  HttpUrl,
  Id,
  LimitedTo,
  list,
  onlyFields,
  page,
  PointInTime,
  text,
  Timestamp,
  TokenScope,
  User,
  endpoints,
  anyUser,
  onResource,
  self,
  platform,
} from '@recto/contracts-shared'

const AllowedAddresses = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
  .min(1)
  .max(50)
  .describe('IP addresses and CIDR blocks that the token may be used from; from everywhere unless given')

const limitIds = z.array(Id).max(50).default([])

/** The resources that a token is to be limited to. */
const TokenLimits = z
  .strictObject(
    {
      spaces: limitIds.describe('Ids of spaces'),
      collections: limitIds.describe(
        'Ids of collections: with all collections and spaces in them, those of later, too',
      ),
      sites: limitIds.describe('Ids of sites; the spaces that they show are named apart'),
    },
    onlyFields('spaces', 'collections', 'sites'),
  )
  .refine(limits => Object.values(limits).some(ids => ids.length > 0), 'must have a space, a collection or a site')
  .meta({ id: 'TokenLimits', description: 'Resources that a token is limited to: it is refused for everything else' })

/** An access token, without its secret. */
export const Token = z
  .object({
    object: z.literal('token'),
    id: Id,
    name: z.string(),
    scopes: z.array(TokenScope),
    createdAt: Timestamp,
    expiresAt: Timestamp.optional(),
    lastUsedAt: Timestamp.optional(),
    allowedAddresses: AllowedAddresses.optional(),
    limitedTo: LimitedTo.optional(),
    hint: z.string().describe('Last characters of the token, by which to recognise it'),
  })
  .meta({ id: 'Token', description: 'An access token, without its secret' })

/** An access token with its secret. */
export const CreatedToken = Token.extend({ token: z.string().describe('The secret; shown only in this reply') }).meta({
  id: 'CreatedToken',
  description: 'An access token with its secret',
})

/** A token to issue. A field that is not known is refused: a restriction that is misspelt would be none. */
export const CreateToken = z
  .strictObject(
    {
      name: text({ min: 1, max: 100 }),
      scopes: z
        .array(TokenScope)
        .min(1)
        .max(100)
        .default([...scopeGroups])
        .describe('Groups of scopes, and single scopes by their names; all unless given'),
      expiresAt: PointInTime.optional(),
      allowedAddresses: AllowedAddresses.optional(),
      limitedTo: TokenLimits.optional(),
    },
    onlyFields('name', 'scopes', 'expiresAt', 'allowedAddresses', 'limitedTo'),
  )
  .meta({ id: 'CreateToken', description: 'A token to issue' })

const CreateUser = z
  .object({ email: z.email().max(254), displayName: text({ min: 1, max: 64 }) })
  .meta({ id: 'CreateUser', description: 'A user to create' })

const UpdateUser = z
  .object({ displayName: text({ min: 1, max: 64 }).optional(), photoURL: HttpUrl.nullable().optional() })
  .refine(changes => Object.values(changes).some(value => value !== undefined), 'must have displayName or photoURL')
  .meta({ id: 'UpdateUser', description: 'Fields of a user to update' })

/** Operations on users and their access tokens. */
export const users = endpoints({
  getAuthenticatedUser: {
    route: 'GET /user',
    summary: 'Get the authenticated user',
    description: 'The owner of the token that the request comes with.',
    reply: User,
    scope: 'user:read',
    access: { ...anyUser, limited: 'filtered' },
  },
  getUserById: {
    route: 'GET /users/{userId}',
    summary: 'Get a user',
    description:
      'You see yourself, and everybody in the organizations where you have a role; others are not there for you (404). Administrators of the platform see everybody.',
    reply: User,
    errors: ['not_found'],
    scope: 'user:read',
    access: onResource('read'),
  },
  updateUserById: {
    route: 'PATCH /users/{userId}',
    summary: 'Update a user: yourself, or any user as platform administrator',
    description:
      'Fields that are left out stay, and an e-mail cannot be changed. With a token of a single sign-on you change yourself only while you belong to no other organization (403).',
    body: UpdateUser,
    reply: User,
    errors: ['not_found'],
    records: ['member.updated'],
    scope: 'user:write',
    access: self,
    examples: [{ params: { userId: '{adminUserId}' }, body: { displayName: 'Ada Lovelace' } }],
  },
  createUser: {
    route: 'POST /users',
    summary: 'Create a user (platform administrators)',
    description:
      'Their e-mail accepts the invites of all organizations. An account whose e-mail only a single sign-on has asserted becomes that of the user. An e-mail that another user has confirmed is refused (409).',
    body: CreateUser,
    reply: User,
    creates: 'ifAbsent',
    records: ['member.added', 'member.updated', 'team.member.added', 'invite.deleted'],
    scope: 'platform:users:write',
    access: { ...platform, group: 'admin' },
    examples: [{ body: { email: 'eve@recto.test', displayName: 'Eve' } }],
    errors: ['conflict'],
  },
  listTokens: {
    route: 'GET /user/tokens',
    summary: 'List your access tokens',
    description:
      'The newest come first, without their secrets. A token of a single sign-on lists those that came from it.',
    query: page,
    reply: list(Token),
    scope: 'user:tokens:read',
    access: anyUser,
  },
  createToken: {
    route: 'POST /user/tokens',
    summary: 'Issue an access token for yourself',
    description:
      'The secret is in this reply and in no other. The token has all scopes unless told otherwise, ends no later than the one that issued it, and is used from no other addresses (403). With `limitedTo` it is refused for all that is not about these spaces, collections and sites (403), and sees no others.',
    body: CreateToken,
    reply: CreatedToken,
    creates: 'resource',
    records: ['token.created'],
    scope: 'user:tokens:write',
    access: { ...anyUser, group: 'admin' },
    examples: [
      { body: { name: 'search script', scopes: ['read'] } },
      {
        body: {
          name: 'agent',
          limitedTo: { spaces: ['{spaceId}'], collections: ['{collectionId}'], sites: ['{siteId}'] },
        },
      },
    ],
    errors: ['not_found'],
  },
  createTokenForUser: {
    route: 'POST /users/{userId}/tokens',
    summary: 'Issue an access token for a user (platform administrators)',
    description:
      'The secret is in this reply and in no other. The token has all scopes unless told otherwise, and ends no later than yours (403). With `limitedTo` it is refused for all that is not about these spaces, collections and sites (403), which the user must see.',
    body: CreateToken,
    reply: CreatedToken,
    creates: 'resource',
    records: ['token.created'],
    scope: 'platform:users:write',
    access: { ...platform, group: 'admin' },
    examples: [
      { body: { name: 'laptop', scopes: ['read', 'write'] } },
      {
        body: {
          name: 'agent',
          limitedTo: { spaces: ['{spaceId}'], collections: ['{collectionId}'], sites: ['{siteId}'] },
        },
      },
    ],
    errors: ['not_found'],
  },
  deleteToken: {
    route: 'DELETE /user/tokens/{tokenId}',
    summary: 'Revoke one of your access tokens',
    description:
      "The token is refused from now on; it may be that of this request. One that is not there, or is somebody else's, is left as it is.",
    reply: empty,
    status: 204,
    records: ['token.deleted'],
    scope: 'user:tokens:write',
    access: { ...anyUser, group: 'admin' },
  },
})
