import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { In } from 'typeorm'
import { GlossaryEntryEntity, type GlossaryEntryRow } from './glossary-entry.entity.ts'

const columns = columnsOf(GlossaryEntryEntity, 'glossary_entries')

/** An entry by id. */
export async function find(db: Db, id: string): Promise<GlossaryEntryRow | undefined> {
  return (await db.findOneBy(GlossaryEntryEntity, { id })) ?? undefined
}

/** The entries of an organization, the newest first, or by their terms in a language. */
export async function listOf(
  db: Db,
  { organization, orderBy }: { organization: string; orderBy?: string | undefined },
  request: ListRequest,
): Promise<ListPage<GlossaryEntryRow>> {
  const source = `from glossary_entries where organization_id = $1`
  if (orderBy === undefined)
    return listPage(db, { sql: `select ${columns} ${source}`, values: [organization], ...newestFirst }, request)
  const sql = `select ${columns}, not translations ? $2 as "isWithout", lower(coalesce(translations->>$2, '')) as term ${source}`
  return listPage<GlossaryEntryRow>(db, { sql, values: [organization, orderBy], ...byTerm }, request)
}

const byTerm = {
  order: [
    { column: 'isWithout', type: 'boolean' },
    { column: 'term', type: 'text' },
    { column: 'id', type: 'text' },
  ],
  direction: 'asc' as const,
}

/** The entries among these that exist in an organization, locked until the transaction ends. */
export async function lockAll(db: Db, organizationId: string, ids: string[]): Promise<GlossaryEntryRow[]> {
  const where = { organizationId, id: In(ids) }
  return db.find(GlossaryEntryEntity, { where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } })
}

/** Counts the entries of an organization, and blocks other changes of its glossary until the transaction ends. */
export async function lockAndCount(db: Db, organizationId: string): Promise<number> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('glossary ' || $1, 4))`, [organizationId])
  return db.countBy(GlossaryEntryEntity, { organizationId })
}

/** Writes an entry, new or changed. */
export async function save(db: Db, row: GlossaryEntryRow): Promise<void> {
  await db.upsert(GlossaryEntryEntity, row, ['id'])
}

/** Deletes entries of an organization. */
export async function remove(db: Db, organizationId: string, ids: string[]): Promise<void> {
  await db.delete(GlossaryEntryEntity, { organizationId, id: In(ids) })
}

/** The terms of an organization in two languages, where an entry has both. */
export async function termsBetween(
  db: Db,
  organization: string,
  { from, to }: { from: string; to: string },
): Promise<{ source: string; target: string }[]> {
  return query<{ source: string; target: string }>(
    db,
    `select translations->>$2 as source, translations->>$3 as target from glossary_entries
     where organization_id = $1 and translations ? $2 and translations ? $3 order by created_at, id`,
    [organization, from, to],
  )
}
