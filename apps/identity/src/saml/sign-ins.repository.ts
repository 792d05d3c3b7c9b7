import { query, type Db } from '@recto/database'
import { Raw } from 'typeorm'
import { SamlAssertionEntity } from './assertion.entity.ts'
import { SamlRequestEntity } from './request.entity.ts'

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
  await db.insert(SamlRequestEntity, { id, providerId: provider, createdAt: () => 'now()' })
}

/** Takes the request that an assertion answers; false when we made none for this provider, it took too long, or it was taken. */
export async function takeRequest(db: Db, { id, provider }: { id: string; provider: string }): Promise<boolean> {
  const recent = Raw(column => `${column} >= now() - interval '${patience}'`)
  const { affected } = await db.delete(SamlRequestEntity, { id, providerId: provider, createdAt: recent })
  return affected === 1
}

/** Notes an assertion; false when it was noted before, also by somebody who is doing so at the moment. */
export async function noteAssertion(
  db: Db,
  { id, provider, expiresAt }: { id: string; provider: string; expiresAt: Date },
): Promise<boolean> {
  await query(
    db,
    `delete from saml_assertions where (provider_id, assertion_id) in (
       select provider_id, assertion_id from saml_assertions where expires_at < now() order by expires_at limit ${swept} for update skip locked
     )`,
  )
  const assertion = { providerId: provider, assertionId: id, expiresAt }
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(SamlAssertionEntity)
    .values(assertion)
    .orIgnore()
    .returning('1')
    .execute()
  return raw.length > 0
}
