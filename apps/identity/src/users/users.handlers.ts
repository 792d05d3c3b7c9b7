import type { Actor } from '@recto/actor'
import { identityEvents } from '@recto/contracts-identity-bus'
import { users } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import { changedFields, createId, Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { acceptInvites, lockInvited } from '../invites/accept-invites.ts'
import { insertToken, recordForUser, recordRevocation } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import { viewersOfCaller, requireVisibleLimits, viewersOfUser } from '../members/token-limits.ts'
import { lockOrganizations } from '../organizations/organizations.repository.ts'
import * as tokens from './tokens.repository.ts'
import { issueToken, presentToken, type SignInOrigin } from './tokens.rules.ts'
import { presentIssuedToken } from './present-issued-token.ts'
import { presentUser } from './present-user.ts'
import { canManageUsers, canSeeUser, canUpdateUser } from './users.policy.ts'
import type { UserRow } from './user.entity.ts'
import * as repository from './users.repository.ts'

export const userFeature = feature<BaseContext>()(users, {
  async getAuthenticatedUser(_input, context) {
    return presentUser(await repository.get(context.db, context.actor.userId), context.publicUrl)
  },

  async getUserById({ params }, context) {
    const organizations = await members.findOrganizationIds(context.db, params.userId)
    if (!canSeeUser(context.actor, params.userId, organizations))
      throw new Failure('not_found', 'There is no such user')
    return presentUser(await repository.get(context.db, params.userId), context.publicUrl)
  },

  async updateUserById({ params, body }, context) {
    const { actor } = context
    const organizations = await members.findOrganizationIds(context.db, params.userId)
    if (!canSeeUser(actor, params.userId, organizations)) throw new Failure('not_found', 'There is no such user')
    const before = await repository.get(context.db, params.userId)
    if (!canUpdateUser(actor, before, organizations))
      throw new Failure('forbidden', 'Only the user and platform administrators can change a user')
    const user = await context.transaction(async tx => {
      const after = await repository.update(tx, params.userId, body)
      await recordProfile(tx, before, after)
      return after
    })
    return presentUser(user, context.publicUrl)
  },

  async createUser({ body }, context) {
    if (!canManageUsers(context.actor)) throw new Failure('forbidden', 'Only platform administrators can create users')
    const { user, isNew } = await context.transaction(async tx => {
      // Locks come before the insert wherever users are created, in the same order, or there would be deadlocks.
      await lockInvited(tx, body.email)
      const saved = await insertOrConfirmUser(tx, body)
      await acceptInvites(tx, saved.user)
      return saved
    })
    if (isNew) context.setCreated()
    return presentUser(user, context.publicUrl)
  },

  async listTokens({ query }, context) {
    const page = await tokens.list(context.db, tokenOwner(context), { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentToken) }
  },

  async createToken({ body }, context) {
    const { userId } = context.actor
    const limits = await requireVisibleLimits(context, viewersOfCaller(context), body)
    const issued = await context.transaction(async tx => {
      const signIn = await lockSignIn(tx, context.actor)
      const token = issueToken(body, { userId, signIn, ...issuer(context) })
      await insertToken(tx, token.row, limits)
      return token
    })
    return presentIssuedToken(context, issued)
  },

  async createTokenForUser({ params, body }, context) {
    if (!canManageUsers(context.actor))
      throw new Failure('forbidden', 'Only platform administrators can issue tokens for other users')
    const user = await repository.get(context.db, params.userId)
    const viewers = body.limitedTo ? await viewersOfUser(context, user.id) : []
    const limits = await requireVisibleLimits(context, viewers, body)
    const issued = issueToken(body, { userId: user.id, ...issuer(context) })
    await context.transaction(tx => insertToken(tx, issued.row, limits))
    return presentIssuedToken(context, issued)
  },

  async deleteToken({ params }, context) {
    const { userId } = context.actor
    await context.transaction(async tx => {
      await recordRevocation(tx, await tokens.remove(tx, params.tokenId, tokenOwner(context)))
      await tx.publish(identityEvents.actorChanged, { userIds: [userId] })
    })
    context.log.info({ token: params.tokenId, user: userId }, 'a token was revoked')
    return undefined
  },
})

/**
 * Returns the single sign-on that issued the token of the caller, and locks its organization so that the sign-on cannot be ended before
 * this transaction is. Throws `unauthenticated` when it has ended.
 */
async function lockSignIn(db: Db, { sso, ssoToken }: Actor): Promise<SignInOrigin | undefined> {
  if (sso === undefined) return undefined
  await lockOrganizations(db, [sso])
  // A gateway of the version before does not name the token.
  if (ssoToken === undefined) return { organization: sso, provider: null }
  const signIn = await tokens.findSignIn(db, ssoToken)
  if (!signIn) throw new Failure('unauthenticated', 'The access token is revoked')
  return signIn
}

/**
 * Inserts a user. When a single sign-on has asserted the email of one already, confirms it and sets the display name instead; throws
 * `conflict` when the email is confirmed. `isNew` tells which happened.
 */
async function insertOrConfirmUser(tx: Transaction, body: { email: string; displayName: string }) {
  const existing = await repository.findByEmail(tx, body.email)
  if (existing && existing.emailAssertedBy !== null && !existing.serviceAccountOf) {
    const user = await repository.confirmEmail(tx, existing.id, body.displayName)
    await recordProfile(tx, existing, user)
    return { user, isNew: false }
  }
  const more = { photoUrl: null, platformAdmin: false, emailAssertedBy: null, createdAt: new Date() }
  return { user: await repository.insert(tx, { ...body, ...more, id: createId() }), isNew: true }
}

/** Records the fields of a user that changed, in each of their organizations. */
async function recordProfile(tx: Transaction, before: UserRow, after: UserRow): Promise<void> {
  const fields = changedFields(before, after)
  if (fields.length > 0)
    await recordForUser(tx, after.id, place => recorded('member.updated', { ...place, details: { fields } }))
}

function tokenOwner(context: Context): tokens.TokenOwner {
  const { userId, sso } = context.actor
  return { userId, sso }
}

function issuer({ actor: { scopes, expiresAt, allowedAddresses, grant } }: Context) {
  return { issuerScopes: scopes, issuerExpiresAt: expiresAt, issuerAddresses: allowedAddresses, grant, now: new Date() }
}
