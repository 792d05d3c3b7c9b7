import { columnsOf, listPage, newestFirst, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { OAuthSessionEntity, type OAuthSessionRow } from './session.entity.ts'

const columns = columnsOf(OAuthSessionEntity, 'oauth_sessions')
const cleanupBatch = 100

/** Who asks: with `sso`, they see only sessions that the single sign-on of this organization began. */
export interface SessionOwner {
  userId: string
  sso: string | undefined
}

/** A user's sessions, newest first. */
export async function list(
  db: Db,
  { userId, sso }: SessionOwner,
  request: ListRequest,
): Promise<ListPage<OAuthSessionRow>> {
  const source = {
    sql: `select ${columns}, uid as id from oauth_sessions 
      where user_id = $1 and expires_at > now() and ($2::text is null or sso_organization = $2)`,
    values: [userId, sso ?? null],
    ...newestFirst,
  }
  return listPage<OAuthSessionRow>(db, source, request)
}

/** A session by a unique column; one that has expired is not found. */
export async function find(
  db: Db,
  key: Pick<OAuthSessionRow, 'hash'> | Pick<OAuthSessionRow, 'uid'>,
): Promise<OAuthSessionRow | undefined> {
  const row = await db.findOneBy(OAuthSessionEntity, key)
  return row && row.expiresAt > new Date() ? row : undefined
}

/** Stores a session that begins, and deletes some that have expired. */
export async function insert(db: Db, row: OAuthSessionRow): Promise<void> {
  await query(
    db,
    `delete from oauth_sessions where uid in (
       select uid from oauth_sessions where expires_at < now() order by expires_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  await db.insert(OAuthSessionEntity, row)
}

/** Stores what has changed of a session; one that has ended meanwhile stays so. */
export async function update(db: Db, { uid, ...change }: OAuthSessionRow): Promise<void> {
  await db.update(OAuthSessionEntity, { uid }, change)
}

/** Ends a session by the hash of its id. */
export async function removeByHash(db: Db, hash: string): Promise<void> {
  await db.delete(OAuthSessionEntity, { hash })
}

/** Ends a session of a user; false when they have none with this id. */
export async function remove(db: Db, uid: string, { userId, sso }: SessionOwner): Promise<boolean> {
  const own = { uid, userId, ...(sso !== undefined && { ssoOrganization: sso }) }
  const { affected } = await db.delete(OAuthSessionEntity, own)
  return affected === 1
}

/** All sessions, for their encryption anew. */
export async function listIds(db: Db): Promise<string[]> {
  return (await db.find(OAuthSessionEntity, { select: { uid: true } })).map(({ uid }) => uid)
}

/** The session of a row, locked until the transaction ends. */
export async function lock(db: Db, uid: string): Promise<OAuthSessionRow | undefined> {
  const options = { where: { uid }, lock: { mode: 'pessimistic_write' as const } }
  return (await db.findOne(OAuthSessionEntity, options)) ?? undefined
}

/** Notes that a session is used. */
export async function touch(
  db: Db,
  uid: string,
  use: Pick<OAuthSessionRow, 'payload' | 'lastSeenAt' | 'expiresAt'>,
): Promise<void> {
  await db.update(OAuthSessionEntity, { uid }, use)
}

/** Replaces the sealed session of a row. */
export async function setPayload(db: Db, uid: string, payload: Buffer): Promise<void> {
  await db.update(OAuthSessionEntity, { uid }, { payload })
}
