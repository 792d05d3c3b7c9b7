import { query, type Db } from '@recto/database'

/** How long a sign-in may take, from our request to the answer. */
const patience = '10 minutes'
/** How many rows that have expired go when one comes: more than come, and never so many that it takes long. */
const swept = 100

/** Remembers a request, and forgets some that nobody will answer any more. */
export async function remember(db: Db, { id, provider }: { id: string; provider: string }): Promise<void> {
  await query(
    db,
    `delete from saml_requests where id in (
       select id from saml_requests where created_at < now() - interval '${patience}' order by created_at limit ${swept} for update skip locked
     )`,
  )
  await query(db, 'insert into saml_requests (id, provider_id, created_at) values ($1, $2, now())', [id, provider])
}

/** Takes the request that an assertion answers; false when we made none for this provider, it took too long, or it was taken. */
export async function takeRequest(db: Db, { id, provider }: { id: string; provider: string }): Promise<boolean> {
  const taken = await query(db, `delete from saml_requests where id = $1 and provider_id = $2 and created_at >= now() - interval '${patience}' returning 1`, [id, provider])
  return taken.length > 0
}

/** Notes an assertion; false when it was noted before, also by somebody who is doing so at the moment. */
export async function noteAssertion(db: Db, { id, provider, expiresAt }: { id: string; provider: string; expiresAt: Date }): Promise<boolean> {
  await query(
    db,
    `delete from saml_assertions where (provider_id, assertion_id) in (
       select provider_id, assertion_id from saml_assertions where expires_at < now() order by expires_at limit ${swept} for update skip locked
     )`,
  )
  const noted = await query(
    db,
    'insert into saml_assertions (provider_id, assertion_id, expires_at) values ($1, $2, $3) on conflict do nothing returning 1',
    [provider, id, expiresAt],
  )
  return noted.length > 0
}
