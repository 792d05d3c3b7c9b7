import { Failure } from '@recto/operation'
import type { Client } from 'pg'

/** A table and its columns that are stored, without those that are generated. */
export interface Table {
  name: string
  columns: string[]
}

const migrationsTable = 'migrations'

/** The tables of a database, each after those that its foreign keys name, but for keys that are deferrable: these are checked when all tables are filled. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and c.table_name <> '${migrationsTable}'
    group by c.table_name order by c.table_name`)
  const { rows: keys } = await client.query<ForeignKey>(`
    select r.relname as "from", f.relname as "to" from pg_constraint k
    join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid <> k.confrelid
      and not k.condeferrable`)
  return inOrder(rows, keys)
}

/** A foreign key of one table that refers to another. */
export interface ForeignKey {
  from: string
  to: string
}

/** Orders tables so that each follows those that its foreign keys refer to. Throws `internal` for a circle. */
export function inOrder(tables: readonly Table[], keys: readonly ForeignKey[]): Table[] {
  const rest = new Set(tables)
  const names = (each: Iterable<Table>) => new Set([...each].map(({ name }) => name))
  const ordered: Table[] = []
  while (rest.size > 0) {
    const waiting = names(rest)
    const free = [...rest].filter(({ name }) => !keys.some(key => key.from === name && waiting.has(key.to)))
    if (free.length === 0) throw new Failure('internal', `Foreign keys form a circle: ${[...waiting].join(', ')}`)
    for (const table of free) rest.delete(table)
    ordered.push(...free)
  }
  return ordered
}

/** The migrations that have run, in their order; none where the database is new. */
export async function listMigrations(client: Client): Promise<string[]> {
  const { rows: tableRows } = await client.query<{ known: string | null }>(
    `select to_regclass('${migrationsTable}') as known`,
  )
  if (!tableRows[0]?.known) return []
  const { rows } = await client.query<{ name: string }>(`select name from ${migrationsTable} order by id`)
  return rows.map(({ name }) => name)
}

/** The last value of each sequence that has one, but for that of the migrations. */
export async function listSequences(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null and sequencename not like '${migrationsTable}%'`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}
