import { columnsOf, listPage, newestFirst, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { Raw } from 'typeorm'
import { profileColumns, usersAsU, type UserProfile } from '../users/users.repository.ts'
import { OAuthGrantEntity, type OAuthGrantRow } from './grant.entity.ts'

/** The columns of `GrantView` that are of the table. */
export const grantColumns = columnsOf(OAuthGrantEntity, 'g', [
  'id',
  'userId',
  'clientId',
  'clientName',
  'clientHost',
  'scopes',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
])

/** The table of `grantColumns`. */
export const grantsAsG = 'oauth_grants g'

const cleanupBatch = 100

/** A grant as lists show it, with its user. */
export type GrantView = Omit<OAuthGrantRow, 'payload' | 'tokenId' | 'ssoOrganization'> & Omit<UserProfile, 'id'>

/** Whose grants: with `sso`, those that came from the single sign-on of this organization only. */
export interface GrantOwner {
  userId: string
  sso: string | undefined
}

/** A user's grants, newest first. */
export async function listOfUser(
  db: Db,
  { userId, sso }: GrantOwner,
  request: ListRequest,
): Promise<ListPage<GrantView>> {
  const source = {
    sql: `select ${grantColumns}, ${profileColumns} from ${grantsAsG} join ${usersAsU} on u.id = g.user_id
      where g.user_id = $1 and g.expires_at > now() and ($2::text is null or g.sso_organization = $2)`,
    values: [userId, sso ?? null],
    ...newestFirst,
  }
  return listPage<GrantView>(db, source, request)
}

/** A grant that has not expired. */
export async function find(db: Db, id: string): Promise<OAuthGrantRow | undefined> {
  const row = await db.findOneBy(OAuthGrantEntity, { id })
  return row && row.expiresAt > new Date() ? row : undefined
}

/** Stores a grant, and deletes some that have expired, with their tokens; false when it was there before. */
export async function insert(db: Db, row: OAuthGrantRow): Promise<boolean> {
  await query(
    db,
    `delete from oauth_grants where id in (
       select id from oauth_grants where expires_at < now() order by expires_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  const insertion = db.createQueryBuilder().insert().into(OAuthGrantEntity).values(row).orIgnore()
  const { raw } = await insertion.returning('id').execute()
  return (raw as unknown[]).length === 1
}

/** Notes that a grant has given out an access token. */
export async function touch(db: Db, id: string): Promise<void> {
  await db.update(OAuthGrantEntity, { id }, { lastUsedAt: () => 'now()' })
}

/** Deletes a grant with its codes and tokens; false when it was not there any more. */
export async function remove(db: Db, id: string): Promise<boolean> {
  const { affected } = await db.delete(OAuthGrantEntity, { id })
  return affected === 1
}

/** The grants that a program has. */
export async function listOfClient(db: Db, clientId: string): Promise<OAuthGrantRow[]> {
  return db.findBy(OAuthGrantEntity, { clientId })
}

/** Deletes what a member has allowed programs of an organization, with their tokens; resolves to the ids. */
export async function removeOfMember(
  db: Db,
  { organization, userId }: { organization: string; userId: string },
): Promise<string[]> {
  const condition = (column: string) =>
    `${column} in (select id from oauth_clients where organization_id = :organization)`
  const deletion = db.createQueryBuilder().delete().from(OAuthGrantEntity)
  const { raw } = await deletion
    .where({ userId, clientId: Raw(condition, { organization }) })
    .returning('id')
    .execute()
  return (raw as { id: string }[]).map(({ id }) => id)
}

/** All grants, for their encryption anew. */
export async function listIds(db: Db): Promise<string[]> {
  return (await db.find(OAuthGrantEntity, { select: { id: true } })).map(({ id }) => id)
}

/** The grant of a row, locked until the transaction ends. */
export async function lock(db: Db, id: string): Promise<OAuthGrantRow | undefined> {
  const options = { where: { id }, lock: { mode: 'pessimistic_write' as const } }
  return (await db.findOne(OAuthGrantEntity, options)) ?? undefined
}

/** Replaces the sealed grant of a row. */
export async function setPayload(db: Db, id: string, payload: Buffer): Promise<void> {
  await db.update(OAuthGrantEntity, { id }, { payload })
}
