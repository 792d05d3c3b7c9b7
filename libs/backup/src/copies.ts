import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '@recto/operation'
import { escapeIdentifier as quoted } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { readCompressed, writeCompressed } from './files.ts'
import type { DatabaseCopy, TableCopy } from './manifest.ts'
import type { Session } from './sessions.ts'
import { listMigrations, listSequences, listTables, type Table } from './tables.ts'

/** The file of a table in the folder of a backup. */
export function tableFile(folder: string, database: string, table: string): string {
  return join(folder, database, `${table}.copy.gz`)
}

/** Copies all rows of a database into files, in the transaction of the session. */
export async function copyDatabase({ name, client }: Session, folder: string): Promise<DatabaseCopy> {
  await mkdir(join(folder, name), { mode: 0o700 })
  const tables: TableCopy[] = []
  for (const table of await listTables(client)) {
    const rows = client.query(copyTo(`copy ${target(table)} to stdout`))
    const sha256 = await writeCompressed(tableFile(folder, name, table.name), rows)
    tables.push({ ...table, rows: rows.rowCount, sha256 })
  }
  return { name, migrations: await listMigrations(client), tables, sequences: await listSequences(client) }
}

/** Fills a database that has the schema of the copy, in the transaction of the session. Throws `conflict` when the files are damaged. */
export async function fillDatabase({ name, client }: Session, copy: DatabaseCopy, folder: string): Promise<void> {
  await client.query('set constraints all deferred')
  for (const table of copy.tables) {
    const rows = client.query(copyFrom(`copy ${target(table)} from stdin`))
    await pipeline(Readable.from(readCompressed(tableFile(folder, name, table.name), table.sha256)), rows)
    if (rows.rowCount !== table.rows) {
      const difference = `${name}.${table.name} has ${rows.rowCount} rows, not ${table.rows}`
      throw new Failure('conflict', `The backup is damaged: ${difference}.`)
    }
  }
  for (const [sequence, last] of Object.entries(copy.sequences))
    await client.query('select setval($1::regclass, $2)', [quoted(sequence), last])
}

/** Throws `conflict` unless every table is empty: restoring over an installation would mix the two. */
export async function requireEmpty({ name, client }: Session): Promise<void> {
  for (const table of await listTables(client)) {
    const { rowCount } = await client.query(`select 1 from ${quoted(table.name)} limit 1`)
    if (rowCount !== 0)
      throw new Failure(
        'conflict',
        `The database ${name} has rows in ${table.name}: a backup is restored into a new installation.`,
      )
  }
}

function target({ name, columns }: Table): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}
