import { columnsOf, listPage, newestFirst, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { OAuthClientEntity, type OAuthClientRow } from './client.entity.ts'

const columns = columnsOf(OAuthClientEntity, 'oauth_clients')
const cleanupBatch = 100
/** Programs register themselves again with each installation of them. */
const unusedLifetime = '30 days'

/** A program of an organization. */
export interface ClientKey {
  organization: string
  id: string
}

/** The programs that an organization has registered, newest first. */
export async function list(db: Db, organization: string, request: ListRequest): Promise<ListPage<OAuthClientRow>> {
  const source = {
    sql: `select ${columns} from oauth_clients where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<OAuthClientRow>(db, source, request)
}

/** A program, whoever has registered it. */
export async function find(db: Db, id: string): Promise<OAuthClientRow | undefined> {
  return (await db.findOneBy(OAuthClientEntity, { id })) ?? undefined
}

export async function insert(db: Db, row: OAuthClientRow): Promise<void> {
  await db.insert(OAuthClientEntity, row)
}

/** Deletes some programs that have registered themselves long ago, and that nobody uses. */
export async function removeUnused(db: Db): Promise<void> {
  await query(
    db,
    `delete from oauth_clients where id in (
       select id from oauth_clients c
       where self_registered and created_at < now() - interval '${unusedLifetime}'
         and not exists (select from oauth_grants g where g.client_id = c.id)
       order by created_at limit ${cleanupBatch} for update skip locked
     )`,
  )
}

/** Deletes a program of an organization; false when it has none with this id. */
export async function remove(db: Db, { organization, id }: ClientKey): Promise<boolean> {
  const { affected } = await db.delete(OAuthClientEntity, { id, organizationId: organization })
  return affected === 1
}

/** All programs, the newest first. */
export async function listAll(db: Db): Promise<OAuthClientRow[]> {
  return db.find(OAuthClientEntity, { order: { createdAt: 'DESC', id: 'DESC' } })
}

/** Deletes a program, whoever has registered it; false when there is none with this id. */
export async function removeAny(db: Db, id: string): Promise<boolean> {
  const { affected } = await db.delete(OAuthClientEntity, { id })
  return affected === 1
}

/** All programs, for their encryption anew. */
export async function listIds(db: Db): Promise<string[]> {
  return (await db.find(OAuthClientEntity, { select: { id: true } })).map(({ id }) => id)
}

/** The program of a row, locked until the transaction ends. */
export async function lock(db: Db, id: string): Promise<OAuthClientRow | undefined> {
  const options = { where: { id }, lock: { mode: 'pessimistic_write' as const } }
  return (await db.findOne(OAuthClientEntity, options)) ?? undefined
}

/** Replaces the sealed metadata of a program. */
export async function setMetadata(db: Db, id: string, metadata: Buffer): Promise<void> {
  await db.update(OAuthClientEntity, { id }, { metadata })
}
