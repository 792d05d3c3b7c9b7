import { TableColumn, type DataSource, type EntityMetadata } from 'typeorm'
import { query } from './query.ts'

/** Columns by name, each described in Postgres's notation: `timestamp(3) with time zone, nullable`. */
type Columns = Map<string, string>

/**
 * Lists how the entities of a database differ from its tables, as sentences that name table and column; empty when each table but
 * TypeORM's own has exactly one entity with exactly its columns: by name, type, nullability and primary key.
 */
export async function schemaDifferences(database: DataSource): Promise<string[]> {
  const tables = await readTables(database)
  const metadata = database.entityMetadatas
  const withoutTable = metadata
    .filter(({ tableName }) => !tables.has(tableName))
    .map(({ name, tableName }) => `${tableName}: the entity ${name} has no table`)
  const differing = [...tables].flatMap(([table, columns]) => {
    const [entity, ...more] = metadata.filter(({ tableName }) => tableName === table)
    if (!entity) return [`${table}: the table has no entity`]
    if (more.length > 0)
      return [`${table}: the table has more than one entity: ${[entity, ...more].map(({ name }) => name).join(', ')}`]
    return columnDifferences(table, columns, declaredColumns(database, entity))
  })
  return [...withoutTable, ...differing]
}

async function readTables(database: DataSource): Promise<Map<string, Columns>> {
  const rows = await query<{ table: string; column: string; type: string; nullable: boolean; primary: boolean }>(
    database.manager,
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
       not a.attnotnull as nullable, coalesce(a.attnum = any(i.indkey), false) as primary
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> $1
     order by c.relname, a.attnum`,
    [database.options.migrationsTableName ?? 'migrations'],
  )
  const tables = new Map<string, Columns>()
  for (const { table, column, ...properties } of rows) {
    const columns: Columns = tables.get(table) ?? new Map()
    tables.set(table, columns.set(column, describeColumn(properties)))
  }
  return tables
}

/** Describes the columns that an entity declares, in the notation of `readTables`, so that both are compared as text. */
function declaredColumns(database: DataSource, entity: EntityMetadata): Columns {
  return new Map(
    entity.columns.map(column => {
      const { databaseName: name, isArray, isNullable: nullable, isPrimary: primary } = column
      const typeName = database.driver.normalizeType(column)
      const full = database.driver.createFullType(
        new TableColumn({ name, type: typeName, precision: column.precision ?? null, isArray }),
      )
      const properties = { type: full.toLowerCase().replace(/ array$/, '[]'), nullable, primary }
      return [name, describeColumn(properties)]
    }),
  )
}

function describeColumn({ type, nullable, primary }: { type: string; nullable: boolean; primary: boolean }): string {
  return [type, nullable ? 'nullable' : 'not null', ...(primary ? ['primary key'] : [])].join(', ')
}

function columnDifferences(table: string, columns: Columns, declared: Columns): string[] {
  const names = new Set([...columns.keys(), ...declared.keys()])
  return [...names].flatMap(name => {
    const actual = columns.get(name)
    const expected = declared.get(name)
    if (actual === expected) return []
    if (actual === undefined) return [`${table}.${name}: the entity has a column that the table lacks`]
    if (expected === undefined) return [`${table}.${name}: the table has a column that the entity lacks`]
    return [`${table}.${name}: is ${actual} in the database, and ${expected} in the entity`]
  })
}
