import { aDatabase, type TestDatabase } from '@recto/testing'
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm'
import {
  idempotencyTable,
  messagingTables,
  serviceEntities,
  migrate,
  openDatabase,
  outboxTrace,
  recordTable,
  type DatabaseOptions,
} from '../index.ts'

class CreateMessaging1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...messagingTables, outboxTrace, ...idempotencyTable, ...recordTable])
      await runner.query(statement)
  }
  async down(): Promise<void> {}
}

class CreateThings1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table thing (id text primary key, title text constraint thing_title_unique unique, made_at timestamptz not null default now(), size bigint not null default 0)`,
    )
    await runner.query(`create table runs (name text not null)`)
    await runner.query(`insert into runs values ('create things')`)
  }
  async down(): Promise<void> {}
}

class FillThings1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`insert into runs select 'fill things' from pg_sleep(0.2)`)
  }
  async down(): Promise<void> {}
}

export const migrations = [CreateMessaging1700000000000, CreateThings1700000000001, FillThings1700000000002]

/** A service's database with things and messages. */
export function thingsAt(url: string): DatabaseOptions {
  return { url, entities: serviceEntities, migrations, poolSize: 8 }
}

export interface Things {
  url: string
  database: DataSource
  stop(): Promise<void>
}

/** An empty database, not migrated. */
export function anEmptyDatabase(): Promise<TestDatabase> {
  return aDatabase({ template: 'empty', migrate: async () => undefined })
}

/** A migrated database of a test file's own. */
export async function aThingsDatabase(): Promise<Things> {
  const { url, drop } = await aDatabase({
    template: 'things',
    migrate: async url => void (await migrate(thingsAt(url))),
  })
  const database = await openDatabase(thingsAt(url))
  const stop = async () => {
    await database.destroy()
    await drop()
  }
  return { url, database, stop }
}

/** A log that keeps its messages. */
export function aLog() {
  const lines: string[] = []
  return { lines, warn: (_details: object, message: string) => void lines.push(message) }
}
