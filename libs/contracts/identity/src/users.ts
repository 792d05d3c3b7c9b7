import { operations, scopes } from '@recto/operation'
import { z } from 'zod'
import { empty, HttpUrl, Id, list, page, PointInTime, text, Timestamp, User } from '@recto/contracts-shared'

const Token = z
  .object({
    object: z.literal('token'),
    id: Id,
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    createdAt: Timestamp,
    expiresAt: Timestamp.optional(),
    lastUsedAt: Timestamp.optional(),
    hint: z.string().describe('Last characters of the token, by which to recognise it'),
  })
  .meta({ id: 'Token', description: 'An access token, without its secret' })

const CreatedToken = Token.extend({ token: z.string().describe('The secret; shown only in this reply') }).meta({
  id: 'CreatedToken',
  description: 'An access token with its secret',
})

const CreateToken = z
  .object({
    name: text({ min: 1, max: 100 }),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .default([...scopes]),
    expiresAt: PointInTime.optional(),
  })
  .meta({ id: 'CreateToken', description: 'A token to issue' })

const CreateUser = z
  .object({ email: z.email().max(254), displayName: text({ min: 1, max: 64 }) })
  .meta({ id: 'CreateUser', description: 'A user to create' })

const UpdateUser = z
  .object({ displayName: text({ min: 1, max: 64 }).optional(), photoURL: HttpUrl.nullable().optional() })
  .refine(changes => Object.values(changes).some(value => value !== undefined), 'must have displayName or photoURL')
  .meta({ id: 'UpdateUser', description: 'Fields of a user to update' })

/** Operations on users and their access tokens. */
export const users = operations({
  getAuthenticatedUser: { route: 'GET /user', summary: 'Get the authenticated user', reply: User },
  getUserById: { route: 'GET /users/{userId}', summary: 'Get a user', reply: User, errors: ['not_found'] },
  updateUserById: {
    route: 'PATCH /users/{userId}',
    summary: 'Update a user: yourself, or any user as platform administrator',
    body: UpdateUser,
    reply: User,
    errors: ['not_found'],
  },
  createUser: {
    route: 'POST /users',
    summary: 'Create a user (platform administrators)',
    description:
      'Their e-mail accepts the invites of all organizations. An account whose e-mail only a single sign-on has asserted becomes that of the user.',
    body: CreateUser,
    reply: User,
    creates: 'ifAbsent',
    access: { scope: 'admin' },
    errors: ['conflict'],
  },
  listTokens: { route: 'GET /user/tokens', summary: 'List your access tokens', query: page, reply: list(Token) },
  createToken: {
    route: 'POST /user/tokens',
    summary: 'Issue an access token for yourself',
    body: CreateToken,
    reply: CreatedToken,
    creates: 'resource',
    access: { scope: 'admin' },
  },
  createTokenForUser: {
    route: 'POST /users/{userId}/tokens',
    summary: 'Issue an access token for a user (platform administrators)',
    body: CreateToken,
    reply: CreatedToken,
    creates: 'resource',
    access: { scope: 'admin' },
    errors: ['not_found'],
  },
  deleteToken: {
    route: 'DELETE /user/tokens/{tokenId}',
    summary: 'Revoke one of your access tokens',
    reply: empty,
    status: 204,
    access: { scope: 'admin' },
  },
})
