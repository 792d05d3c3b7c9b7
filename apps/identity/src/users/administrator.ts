import { query, type Db } from '@recto/database'
import { createToken } from '@recto/actor'
import { createId, scopeGroups } from '@recto/operation'
import { storedTokenFields } from './tokens.rules.ts'
import * as tokens from './tokens.repository.ts'
import * as users from './users.repository.ts'

const firstAdministratorLock = 7_265_371

/** Creates the first administrator when there is no user yet; returns the token if it was generated here, to be printed once. */
export async function ensureAdministrator(
  db: Db,
  { token: configuredToken, email }: { token: string | undefined; email: string },
): Promise<string | undefined> {
  return db.transaction(async transaction => {
    await query(transaction, 'select pg_advisory_xact_lock($1)', [firstAdministratorLock])
    if (await users.exists(transaction)) return undefined
    const token = configuredToken ?? createToken()
    const now = new Date()
    const user = {
      id: createId(),
      email,
      displayName: 'Administrator',
      photoUrl: null,
      platformAdmin: true,
      emailAssertedBy: null,
      createdAt: now,
    }
    await users.insert(transaction, user)
    const row = { ...storedTokenFields(token), userId: user.id, name: 'First administrator', scopes: [...scopeGroups] }
    await tokens.insert(transaction, {
      ...row,
      createdAt: now,
      expiresAt: null,
      lastUsedAt: null,
      ssoOrganization: null,
      ssoProvider: null,
    })
    return configuredToken ? undefined : token
  })
}
