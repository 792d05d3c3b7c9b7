import { identityEvents, users } from '@recto/contracts'
import { tellEvent } from '@recto/database'
import { createId, Failure, implement } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import { acceptInvites, lockNewcomer } from '../invites/accepting.ts'
import * as members from '../organizations/organizations.repository.ts'
import type { TokenRow } from '../tokens/token.entity.ts'
import * as tokens from '../tokens/tokens.repository.ts'
import { issueToken, presentToken } from '../tokens/tokens.rules.ts'
import { presentUser } from './present.ts'
import { canManageUsers, canSeeUser, canUpdateUser } from './users.policy.ts'
import * as repository from './users.repository.ts'

export const userHandlers = implement<Context>()(users, {
  async getAuthenticatedUser(_input, context) {
    return presentUser(await repository.get(context.db, actorOf(context).userId), context.publicUrl)
  },

  async getUserById({ params }, context) {
    const organizations = await members.organizationsOf(context.db, params.userId)
    if (!canSeeUser(actorOf(context), params.userId, organizations))
      throw new Failure('not_found', 'There is no such user')
    return presentUser(await repository.get(context.db, params.userId), context.publicUrl)
  },

  async updateUserById({ params, body }, context) {
    const actor = actorOf(context)
    const organizations = await members.organizationsOf(context.db, params.userId)
    if (!canSeeUser(actor, params.userId, organizations)) throw new Failure('not_found', 'There is no such user')
    if (!canUpdateUser(actor, await repository.get(context.db, params.userId), organizations))
      throw new Failure('forbidden', 'Only they themselves and platform administrators change a user')
    return presentUser(await repository.update(context.db, params.userId, body), context.publicUrl)
  },

  async createUser({ body }, context) {
    if (!canManageUsers(actorOf(context))) throw new Failure('forbidden', 'Only a platform administrator creates users')
    const user = { ...body, id: createId(), photoUrl: null, platformAdmin: false, createdAt: new Date() }
    const told = await context.db.transaction(async db => {
      // Before the insert, as everybody does who makes users: two who wait for each other end in a deadlock.
      await lockNewcomer(db, user.email)
      await repository.insert(db, user)
      return acceptInvites(db, user)
    })
    told.forEach(context.signal)
    return presentUser(user, context.publicUrl)
  },

  async listTokens({ query }, context) {
    const page = await tokens.list(context.db, holderOf(context), { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentToken) }
  },

  async createToken({ body }, context) {
    const { row, token } = issueToken(body, { ...holderOf(context), ...issuerOf(context) })
    return issued(context, row, token)
  },

  async createTokenForUser({ params, body }, context) {
    if (!canManageUsers(actorOf(context)))
      throw new Failure('forbidden', 'Only a platform administrator issues tokens for others')
    const user = await repository.get(context.db, params.userId)
    const { row, token } = issueToken(body, { userId: user.id, ...issuerOf(context) })
    return issued(context, row, token)
  },

  async deleteToken({ params }, context) {
    const { userId } = actorOf(context)
    const told = await context.db.transaction(async db => {
      await tokens.remove(db, params.tokenId, holderOf(context))
      return tellEvent(db, identityEvents.actorChanged, { userIds: [userId] })
    })
    context.signal(told)
    context.log.info({ token: params.tokenId, user: userId }, 'a token was revoked')
    return undefined
  },
})

async function issued(context: Context, row: TokenRow, token: string) {
  await tokens.insert(context.db, row)
  context.log.info({ token: row.id, user: row.userId, by: actorOf(context).userId }, 'a token was issued')
  return { ...presentToken(row), token }
}

function holderOf(context: Context): tokens.Holder {
  const { userId, sso } = actorOf(context)
  return { userId, sso }
}

function issuerOf(context: Context): { held: string[]; ends: number | undefined; now: Date } {
  const { scopes, expiresAt } = actorOf(context)
  return { held: scopes, ends: expiresAt, now: new Date() }
}
