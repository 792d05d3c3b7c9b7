import { query, type Db } from '@recto/database'
import { IsNull, Raw } from 'typeorm'
import { OidcLogoutEntity, type OidcLogoutRow } from './logout.entity.ts'
import { OidcSignInEntity } from './sign-in.entity.ts'

/** How long a sign-in may take, from its start to the answer. */
const signInLifetime = '10 minutes'
/** Expired rows deleted with each insert: more than one, so that they do not accumulate, and few enough to be fast. */
const cleanupBatch = 100

/** A sign-in that a browser began with a provider. */
export interface BegunSignIn {
  state: string
  provider: string
  browserHash: string
}

/** Stores a sign-in, and deletes some expired ones. */
export async function insert(db: Db, { state, provider, browserHash }: BegunSignIn): Promise<void> {
  await query(
    db,
    `delete from oidc_sign_ins where state in (
       select state from oidc_sign_ins where created_at < now() - interval '${signInLifetime}' order by created_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  await db.insert(OidcSignInEntity, {
    state,
    providerId: provider,
    browserHash,
    createdAt: () => 'now()',
    redeemedAt: null,
  })
}

/** Marks a sign-in as answered; false when this browser began none, it has expired, or it was answered already, also by a concurrent request. */
export async function redeem(db: Db, { state, provider, browserHash }: BegunSignIn): Promise<boolean> {
  const recent = Raw(column => `${column} >= now() - interval '${signInLifetime}'`)
  const { affected } = await db.update(
    OidcSignInEntity,
    { state, providerId: provider, browserHash, redeemedAt: IsNull(), createdAt: recent },
    { redeemedAt: () => 'now()' },
  )
  return affected === 1
}

/** Deletes a sign-in; false when it is not there any more. */
export async function remove(db: Db, { state, provider }: { state: string; provider: string }): Promise<boolean> {
  const { affected } = await db.delete(OidcSignInEntity, { state, providerId: provider })
  return affected === 1
}

/** Deletes the sign-ins of a provider: nothing completes them any more. */
export async function removeOfProvider(db: Db, provider: string): Promise<void> {
  await db.delete(OidcSignInEntity, { providerId: provider })
}

/** Stores a used logout token, and deletes some expired ones; false when it was stored before, also by a concurrent transaction. */
export async function insertLogout(db: Db, logout: OidcLogoutRow): Promise<boolean> {
  await query(
    db,
    `delete from oidc_logouts where (provider_id, token_id) in (
       select provider_id, token_id from oidc_logouts where expires_at < now() order by expires_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(OidcLogoutEntity)
    .values(logout)
    .orIgnore()
    .returning('1')
    .execute()
  return raw.length > 0
}

/** Whether the provider has ended a session, or all sessions of its user that began before. */
export async function isSignedOut(
  db: Db,
  { provider, sub, sid, issuedAt }: { provider: string; sub: string; sid: string | null; issuedAt: Date },
): Promise<boolean> {
  const [logout] = await query<{ one: number }>(
    db,
    `select 1 as one from oidc_logouts
     where provider_id = $1 and (subject is null or subject = $2) and (session = $3 or (session is null and issued_at >= $4)) limit 1`,
    [provider, sub, sid, issuedAt],
  )
  return logout !== undefined
}
