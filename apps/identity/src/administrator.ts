import { query, type Db } from '@recto/database'
import { createToken } from '@recto/actor'
import { createId, scopes } from '@recto/operation'
import { describeToken } from './users/tokens.rules'
import * as tokens from './users/tokens.repository'
import * as users from './users/users.repository.ts'

const firstAdministratorLock = 7_265_371

/** Makes the first administrator when there is no user yet; returns the token when it was made here and is shown this once. */
export async function ensureAdministrator(
  db: Db,
  { token: given, email }: { token: string | undefined; email: string },
): Promise<string | undefined> {
  return db.transaction(async transaction => {
    await query(transaction, 'select pg_advisory_xact_lock($1)', [firstAdministratorLock])
    if (await users.exists(transaction)) return undefined
    const token = given ?? createToken()
    const now = new Date()
    const user = {
      id: createId(),
      email,
      displayName: 'Administrator',
      photoUrl: null,
      platformAdmin: true,
      createdAt: now,
    }
    await users.insert(transaction, user)
    const row = { ...describeToken(token), userId: user.id, name: 'First administrator', scopes: [...scopes] }
    await tokens.insert(transaction, {
      ...row,
      createdAt: now,
      expiresAt: null,
      lastUsedAt: null,
      ssoOrganization: null,
    })
    return given ? undefined : token
  })
}
