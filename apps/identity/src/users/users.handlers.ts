import { users } from '@recto/contracts'
import { createId, Failure, implement } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import * as members from '../organizations/organizations.repository.ts'
import * as tokens from '../tokens/tokens.repository.ts'
import { issueToken, presentToken } from '../tokens/tokens.rules.ts'
import type { UserRow } from './user.entity.ts'
import { canManageUsers, canSeeUser } from './users.policy.ts'
import * as repository from './users.repository.ts'
import { identityEvents } from '@recto/contracts'
import { tellEvent } from '@recto/database'

export const userHandlers = implement<Context>()(users, {
  async getAuthenticatedUser(_input, context) {
    return presentUser(await repository.get(context.db, actorOf(context).userId), context)
  },

  async getUserById({ params }, context) {
    const organizations = await members.organizationsOf(context.db, params.userId)
    if (!canSeeUser(actorOf(context), params.userId, organizations)) throw new Failure('not_found', 'There is no such user')
    return presentUser(await repository.get(context.db, params.userId), context)
  },

  async createUser({ body }, context) {
    if (!canManageUsers(actorOf(context))) throw new Failure('forbidden', 'Only a platform administrator creates users')
    const user = { ...body, id: createId(), photoUrl: null, platformAdmin: false, createdAt: new Date() }
    return presentUser(await repository.insert(context.db, user), context)
  },

  async listTokens({ query }, context) {
    const page = await tokens.list(context.db, actorOf(context).userId, { ...query, secret: context.signingSecret })
    return { ...page, items: page.items.map(presentToken) }
  },

  async createToken({ body }, context) {
    const { row, token } = issueToken(body, { userId: actorOf(context).userId, held: actorOf(context).scopes, now: new Date() })
    await tokens.insert(context.db, row)
    return { ...presentToken(row), token }
  },

  async createTokenForUser({ params, body }, context) {
    if (!canManageUsers(actorOf(context))) throw new Failure('forbidden', 'Only a platform administrator issues tokens for others')
    const user = await repository.get(context.db, params.userId)
    const { row, token } = issueToken(body, { userId: user.id, held: actorOf(context).scopes, now: new Date() })
    await tokens.insert(context.db, row)
    return { ...presentToken(row), token }
  },

  async deleteToken({ params }, context) {
    const { userId } = actorOf(context)
    const told = await context.db.transaction(async db => {
      await tokens.remove(db, { id: params.tokenId, userId })
      return tellEvent(db, identityEvents.actorChanged, { userIds: [userId] })
    })
    context.signal(told)
    return undefined
  },
})

function presentUser(user: UserRow, { publicUrl }: Context) {
  return {
    object: 'user' as const,
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    ...(user.photoUrl !== null && { photoURL: user.photoUrl }),
    urls: { location: `${publicUrl}/v1/users/${user.id}` },
  }
}
