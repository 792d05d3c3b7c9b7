import { identityEvents } from '@recto/contracts-identity-bus'
import { createToken } from '@recto/actor'
import { Failure, scopeGroups } from '@recto/operation'
import { tableLine, type AdminCommand } from '@recto/service'
import { storedTokenFields } from '../users/tokens.rules.ts'
import * as tokens from '../users/tokens.repository.ts'
import * as users from '../users/users.repository.ts'
import { insertToken, recordRevocation } from './member-records.ts'

/** `users [<text>]`: those whose name or email contains the text, at most a thousand. */
export const listUsers: AdminCommand = async ([text = ''], { db, print }) => {
  print(tableLine('id', 'email', 'name', 'since', 'administrator'))
  for (const { id, email, displayName, createdAt, platformAdmin } of await users.search(db, text))
    print(tableLine(id, email, displayName, createdAt.toISOString(), platformAdmin ? 'yes' : 'no'))
}

/** `tokens <email or user id>`: the tokens of a user, without their values, which nothing keeps. */
export const listTokens: AdminCommand = async ([user = ''], { db, print }) => {
  const { id } = (await users.findByEmail(db, user)) ?? (await users.get(db, user))
  print(tableLine('id', 'name', 'ends with', 'scopes', 'since', 'until', 'last used'))
  for (const token of await tokens.listAllOfUser(db, id)) {
    const times = [token.createdAt, token.expiresAt, token.lastUsedAt].map(time => time?.toISOString() ?? '-')
    print(tableLine(token.id, token.name, token.hint, token.scopes.join(' '), ...times))
  }
}

/** `issue <email or user id> [<name>]`: a token with all rights of the user, for one whose token is lost; shown once. */
export const issueToken: AdminCommand = async (
  [user = '', name = 'Issued by an operator'],
  { db, transaction, print },
) => {
  const { id } = (await users.findByEmail(db, user)) ?? (await users.get(db, user))
  const token = createToken()
  const row = {
    ...storedTokenFields(token),
    userId: id,
    name,
    scopes: [...scopeGroups],
    createdAt: new Date(),
    expiresAt: null,
    lastUsedAt: null,
    ssoOrganization: null,
    ssoProvider: null,
  }
  await transaction(tx => insertToken(tx, row))
  print(token)
}

/** `revoke <token id>…`: of any user; a token is refused within a second. */
export const revokeTokens: AdminCommand = async (ids, { transaction, print }) => {
  if (ids.length === 0) throw new Failure('invalid_request', 'revoke must have the ids of tokens.')
  const revoked = await transaction(async tx => {
    const removed = await tokens.removeAll(tx, ids)
    const owners = new Set(removed.map(({ userId }) => userId))
    if (owners.size > 0) await tx.publish(identityEvents.actorChanged, { userIds: [...owners] })
    await recordRevocation(tx, removed)
    return removed.length
  })
  print(`${revoked} of ${ids.length} tokens were revoked.`)
  // Not quoted: a token itself may have been given in place of its id.
  if (revoked < ids.length)
    throw new Failure('not_found', `${ids.length - revoked} of the ids are not those of tokens.`)
}
