import type { Client } from 'pg'

/** Rows as JSON, by their table. */
export type TemplateRows = Map<string, string[]>

/** Tables of messages, whose rows say what was sent rather than what there is. */
const messages = new Set(['outbox', 'record_counters', 'idempotent_requests'])

/** The rows of a database that name one of these ids: a table that a later version adds is among them. */
export async function readTemplateRows(client: Client, ids: readonly string[]): Promise<TemplateRows> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  )
  const templateRows: TemplateRows = new Map()
  for (const { name } of tables) {
    if (messages.has(name)) continue
    const texts = (await readRows(client, name)).filter(text => ids.some(id => text.includes(id)))
    if (texts.length > 0) templateRows.set(name, texts)
  }
  return templateRows
}

/** All rows of a table as JSON. */
export async function readRows(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`select to_jsonb(r)::text as text from only ${table} r`)
  return rows.map(({ text }) => text)
}

/** Inserts rows that are given as JSON. */
export async function insertRows(client: Client, table: string, texts: string[]): Promise<void> {
  await insert(client, { table, source: 'unnest($1::text[]) as source (text)', text: 'source.text', values: [texts] })
}

/** A run of copies, each with a number, and what differs in the text of the one with the number `n`. */
export interface Copies {
  from: number
  to: number
  /** Texts of the template, and SQL of those of a copy. */
  replacements: readonly (readonly [text: string, sql: string])[]
}

/** Inserts copies of rows. */
export async function insertCopies(client: Client, [table, texts]: [string, string[]], copies: Copies): Promise<void> {
  const used = copies.replacements.filter(([text]) => texts.some(row => row.includes(text)))
  const text = used.reduce(
    (sql, [old, next]) => `replace(${sql}, ${client.escapeLiteral(old)}, ${next})`,
    'source.text',
  )
  const source = 'unnest($1::text[]) as source (text) cross join generate_series($2::int, $3::int) as n'
  await insert(client, { table, source, text, values: [texts, copies.from, copies.to] })
}

interface Insert {
  table: string
  source: string
  text: string
  values: unknown[]
}

async function insert(client: Client, { table, source, text, values }: Insert): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map(name => `copy.${name}`).join(', ')}
     from ${source} cross join lateral jsonb_populate_record(null::${table}, (${text})::jsonb) as copy`,
    values,
  )
}

/** Does some work while tables have no secondary indexes, no triggers and no checks of foreign keys, and readies them for queries after it. */
export async function inBulk(client: Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await client.query(definition)
  await client.query('reset session_replication_role')
  for (const table of tables) await client.query(`vacuum analyze ${table}`)
}
