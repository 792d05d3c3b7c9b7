import { identityEvents, users } from '@recto/contracts'
import { createId, Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import { acceptInvites, lockNewcomer } from '../../invites/accept-invites'
import * as members from '../../organizations/organizations.repository'
import type { TokenRow } from '../../users/token.entity'
import * as tokens from '../../users/tokens.repository'
import { issueToken, presentToken } from '../../users/tokens.rules'
import { presentUser } from '../../users/present-user'
import { canManageUsers, canSeeUser, canUpdateUser } from '../../users/users.policy'
import * as repository from '../../users/users.repository'

export const userFeature = feature<BaseContext>()(users, {
  async getAuthenticatedUser(_input, context) {
    return presentUser(await repository.get(context.db, context.actor.userId), context.publicUrl)
  },

  async getUserById({ params }, context) {
    const organizations = await members.organizationsOf(context.db, params.userId)
    if (!canSeeUser(context.actor, params.userId, organizations))
      throw new Failure('not_found', 'There is no such user')
    return presentUser(await repository.get(context.db, params.userId), context.publicUrl)
  },

  async updateUserById({ params, body }, context) {
    const { actor } = context
    const organizations = await members.organizationsOf(context.db, params.userId)
    if (!canSeeUser(actor, params.userId, organizations)) throw new Failure('not_found', 'There is no such user')
    if (!canUpdateUser(actor, await repository.get(context.db, params.userId), organizations))
      throw new Failure('forbidden', 'Only they themselves and platform administrators change a user')
    return presentUser(await repository.update(context.db, params.userId, body), context.publicUrl)
  },

  async createUser({ body }, context) {
    if (!canManageUsers(context.actor)) throw new Failure('forbidden', 'Only a platform administrator creates users')
    const user = { ...body, id: createId(), photoUrl: null, platformAdmin: false, createdAt: new Date() }
    await context.transaction(async tx => {
      // Before the insert, as everybody does who makes users: two who wait for each other end in a deadlock.
      await lockNewcomer(tx, user.email)
      await repository.insert(tx, user)
      await acceptInvites(tx, user)
    })
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
    if (!canManageUsers(context.actor))
      throw new Failure('forbidden', 'Only a platform administrator issues tokens for others')
    const user = await repository.get(context.db, params.userId)
    const { row, token } = issueToken(body, { userId: user.id, ...issuerOf(context) })
    return issued(context, row, token)
  },

  async deleteToken({ params }, context) {
    const { userId } = context.actor
    await context.transaction(async tx => {
      await tokens.remove(tx, params.tokenId, holderOf(context))
      await tx.publish(identityEvents.actorChanged, { userIds: [userId] })
    })
    context.log.info({ token: params.tokenId, user: userId }, 'a token was revoked')
    return undefined
  },
})

async function issued(context: Context, row: TokenRow, token: string) {
  await tokens.insert(context.db, row)
  context.log.info({ token: row.id, user: row.userId, by: context.actor.userId }, 'a token was issued')
  return { ...presentToken(row), token }
}

function holderOf(context: Context): tokens.Holder {
  const { userId, sso } = context.actor
  return { userId, sso }
}

function issuerOf(context: Context): { held: string[]; ends: number | undefined; now: Date } {
  const { scopes, expiresAt } = context.actor
  return { held: scopes, ends: expiresAt, now: new Date() }
}
