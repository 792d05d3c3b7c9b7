import { Failure } from '@recto/operation'
import type { DataSource } from 'typeorm'
import { openDatabase, type DatabaseOptions } from './open.ts'
import { query } from './query.ts'

/** Key of the advisory lock under which migrations run; TypeORM itself takes none. */
const migrationLock = 7_265_370

/**
 * Runs the pending migrations under an advisory lock, so that concurrent processes run them once; with `only`, those of these names,
 * which bring a new database to the schema of an earlier version. Resolves to the names of those that ran. Throws `conflict` for a name
 * that this version does not know.
 */
export async function migrate(options: DatabaseOptions, only: readonly string[] = []): Promise<string[]> {
  const migrations = only.length === 0 ? options.migrations : chooseMigrations(options, only)
  // One connection holds the lock, another one runs the migrations.
  const database = await openDatabase({ ...options, migrations, poolSize: 2, statementTimeout: 0 })
  const lock = database.createQueryRunner()
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock])
    const ran = await database.runMigrations()
    return ran.map(migration => migration.name)
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    await lock.release()
    await database.destroy()
  }
}

function chooseMigrations({ migrations }: DatabaseOptions, only: readonly string[]): DatabaseOptions['migrations'] {
  const byName = new Map(migrations.map(migration => [migration.name, migration]))
  return only.map(name => {
    const migration = byName.get(name)
    if (migration) return migration
    throw new Failure('conflict', `The migration ${name} is of a later version: use that version.`)
  })
}

/** Checks that every migration of this version has run: resolves to true, or to the reason why not. */
export async function schemaState(database: DataSource): Promise<true | string> {
  const [migrationsTable] = await query<{ table: string | null }>(
    database.manager,
    `select to_regclass('migrations') as table`,
  )
  const rows = migrationsTable?.table
    ? await query<{ name: string }>(database.manager, 'select name from migrations')
    : []
  const ran = new Set(rows.map(({ name }) => name))
  const isCurrent = database.migrations.every(migration => ran.has(migration.name ?? migration.constructor.name))
  return isCurrent || 'the database has not been migrated to this version'
}
