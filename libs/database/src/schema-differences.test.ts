import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  idempotencyTable,
  serviceEntities,
  messagingTables,
  openDatabase,
  outboxTrace,
  query,
  recordTable,
  schemaDifferences,
  type DataSource,
} from './index.ts'
import { anEmptyDatabase } from './test/things.ts'

interface PageRow {
  spaceId: string
  id: string
  tags: string[]
  size: number
  icon: object | null
  openedAt: Date | null
}

const columns = {
  spaceId: { type: 'text', name: 'space_id', primary: true },
  id: { type: 'text', primary: true },
  tags: { type: 'text', array: true },
  size: { type: 'int' },
  icon: { type: 'jsonb', nullable: true },
  openedAt: { type: 'timestamptz', precision: 3, name: 'opened_at', nullable: true },
} satisfies Record<keyof PageRow, EntitySchemaColumnOptions>

type Columns = Partial<Record<keyof PageRow, EntitySchemaColumnOptions>>
const page = (declared: Columns, name = 'Page', tableName = 'pages') =>
  new EntitySchema<PageRow>({ name, tableName, columns: declared })

const table = `create table pages (space_id text, id text, tags text[] not null, size int not null, icon jsonb, opened_at timestamptz(3), primary key (space_id, id))`

let empty: { url: string; drop(): Promise<void> }
let database: DataSource
beforeAll(async () => {
  empty = await anEmptyDatabase()
  database = await openDatabase({ url: empty.url, entities: [], migrations: [] })
})
afterAll(async () => {
  await database.destroy()
  await empty.drop()
})

beforeEach(async () => {
  await query(
    database.manager,
    'drop table if exists pages, outbox, processed_messages, idempotent_requests, record_counters, migrations, others cascade',
  )
  for (const statement of [
    ...messagingTables,
    outboxTrace,
    ...idempotencyTable,
    ...recordTable,
    table,
    'create table migrations (id serial)',
  ])
    await query(database.manager, statement)
})

async function differences(...entities: EntitySchema<PageRow>[]): Promise<string[]> {
  const ownDatabase = await openDatabase({
    url: empty.url,
    entities: [...serviceEntities, ...entities],
    migrations: [],
    poolSize: 1,
  })
  return schemaDifferences(ownDatabase).finally(() => ownDatabase.destroy())
}

describe('schemaDifferences', () => {
  it('finds none when each table has an entity with its columns', async () => {
    expect(await differences(page(columns))).toEqual([])
  })

  it('names a table without an entity, one with two, and an entity without a table', async () => {
    expect(await differences()).toEqual(['pages: the table has no entity'])
    expect(await differences(page(columns), page(columns, 'Leaf'))).toEqual([
      'pages: the table has more than one entity: Page, Leaf',
    ])
    expect(await differences(page(columns), page(columns, 'Leaf', 'leaves'))).toEqual([
      'leaves: the entity Leaf has no table',
    ])
  })

  it('names a column that either side lacks', async () => {
    const { icon: _icon, ...fewer } = columns
    expect(await differences(page(fewer))).toEqual(['pages.icon: the table has a column that the entity lacks'])
    await query(database.manager, 'alter table pages drop column icon, add column emoji text')
    expect(await differences(page(columns))).toEqual([
      'pages.emoji: the table has a column that the entity lacks',
      'pages.icon: the entity has a column that the table lacks',
    ])
  })

  it.each<[string, Columns, string]>([
    [
      'type',
      { size: { type: 'bigint' } },
      'pages.size: is integer, not null in the database, and bigint, not null in the entity',
    ],
    [
      'number of values',
      { tags: { type: 'text' } },
      'pages.tags: is text[], not null in the database, and text, not null in the entity',
    ],
    [
      'precision',
      { openedAt: { type: 'timestamptz', name: 'opened_at', nullable: true } },
      'pages.opened_at: is timestamp(3) with time zone, nullable in the database, and timestamp with time zone, nullable in the entity',
    ],
    [
      'nullability',
      { icon: { type: 'jsonb' } },
      'pages.icon: is jsonb, nullable in the database, and jsonb, not null in the entity',
    ],
    [
      'part of the primary key',
      { spaceId: { type: 'text', name: 'space_id' } },
      'pages.space_id: is text, not null, primary key in the database, and text, not null in the entity',
    ],
  ])('names a column of another %s', async (_what, changed, difference) => {
    expect(await differences(page({ ...columns, ...changed }))).toEqual([difference])
  })

  it('leaves out dropped columns, views and the table of migrations, and no other table', async () => {
    await query(database.manager, 'alter table pages add column gone text')
    await query(database.manager, 'alter table pages drop column gone')
    await query(database.manager, 'create view viewed as select id from pages')
    await query(database.manager, 'create table others (id text primary key)')
    expect(await differences(page(columns))).toEqual(['others: the table has no entity'])
  })
})
