import { Client } from 'pg'

/** All rows of all tables of a database as text, by table; bytes are in hexadecimal digits. */
export async function tableTexts(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string | null }>(
        `select string_agg(t::text, E'\\n') as text from ${name} t`,
      )
      texts[name] = rows[0]?.text ?? ''
    }
    return texts
  } finally {
    await client.end()
  }
}
