import { query, type Db } from '@recto/database'
import { Raw } from 'typeorm'
import { SamlAssertionEntity } from './assertion.entity.ts'
import { SamlRequestEntity } from './request.entity.ts'

/** How long a sign-in may take, from the request to the response. */
const requestLifetime = '10 minutes'
/** Expired rows deleted with each insert: more than one, so that they do not accumulate, and few enough to be fast. */
const cleanupBatch = 100

/** Stores a request, and deletes some expired ones. */
export async function insertRequest(db: Db, { id, provider }: { id: string; provider: string }): Promise<void> {
  await query(
    db,
    `delete from saml_requests where id in (
       select id from saml_requests where created_at < now() - interval '${requestLifetime}' order by created_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  await db.insert(SamlRequestEntity, { id, providerId: provider, createdAt: () => 'now()' })
}

/** Deletes the request that an assertion answers; false when there is none of this provider, it has expired, or it was answered already. */
export async function deleteRequest(db: Db, { id, provider }: { id: string; provider: string }): Promise<boolean> {
  const recent = Raw(column => `${column} >= now() - interval '${requestLifetime}'`)
  const { affected } = await db.delete(SamlRequestEntity, { id, providerId: provider, createdAt: recent })
  return affected === 1
}

/** Deletes the requests of a provider: nothing answers them any more. */
export async function deleteRequests(db: Db, provider: string): Promise<void> {
  await db.delete(SamlRequestEntity, { providerId: provider })
}

/** Stores the id of a used assertion, and deletes some expired ones; false when it was stored before, also by a concurrent transaction. */
export async function insertAssertion(
  db: Db,
  { id, provider, expiresAt }: { id: string; provider: string; expiresAt: Date },
): Promise<boolean> {
  await query(
    db,
    `delete from saml_assertions where (provider_id, assertion_id) in (
       select provider_id, assertion_id from saml_assertions where expires_at < now() order by expires_at limit ${cleanupBatch} for update skip locked
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
