import pg from 'pg'
import type {
  DataSource,
  DeleteResult,
  EntityManager,
  EntitySchema,
  FindOptionsWhere,
  MigrationInterface,
  ObjectLiteral,
  QueryDeepPartialEntity,
  UpdateOptions,
  UpdateResult,
} from 'typeorm'
import { createPoolDriver, poolOf } from './pool.ts'
import { clientsOf } from './silent-server.ts'
import { FailureMappingDataSource, unavailable } from './unavailable.ts'

export type { DataSource } from 'typeorm'

/**
 * The handle that repositories take first: the data source's manager, or a transaction's. It is TypeORM's entity manager, whose
 * `update` and `delete` take criteria of any form; here they have to name properties of the entity.
 */
export interface Db extends EntityManager {
  update<Row extends ObjectLiteral>(
    entity: EntitySchema<Row>,
    criteria: Criteria<NoInfer<Row>>,
    changes: QueryDeepPartialEntity<NoInfer<Row>>,
    options?: UpdateOptions,
  ): Promise<UpdateResult>
  delete<Row extends ObjectLiteral>(entity: EntitySchema<Row>, criteria: Criteria<NoInfer<Row>>): Promise<DeleteResult>
}

type Criteria<Row> = FindOptionsWhere<Row> | FindOptionsWhere<Row>[]

/** Limits of a service's connections. */
export interface DatabaseLimits {
  /** Maximum connections of the pool; 10 unless given. */
  poolSize?: number
  /** Milliseconds after which the server cancels a statement; 15,000 unless given. */
  statementTimeout?: number
  /** Milliseconds to wait for a connection, of the pool and of the server; 10,000 unless given. */
  connectionTimeout?: number
}

/** How to open a service's database. */
export interface DatabaseOptions extends DatabaseLimits {
  /** `postgres://role:password@host:port/database`. */
  url: string
  entities: EntitySchema[]
  migrations: (new () => MigrationInterface)[]
}

/**
 * Opens a service's database. `timestamptz` columns are read as `Date`, `bigint` as number when it is safe. Statements
 * fail as `unavailable` while the server is unreachable, and as `timeout` when the server cancels them.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const { url, entities, migrations, poolSize = 10, statementTimeout = 15_000, connectionTimeout = 10_000 } = options
  const { driver, bind, abandonIdle } = createPoolDriver()
  const database = new FailureMappingDataSource({
    type: 'postgres',
    driver,
    url,
    entities,
    migrations,
    migrationsTransactionMode: 'each',
    poolSize,
    installExtensions: false,
    extra: {
      statement_timeout: statementTimeout,
      connectionTimeoutMillis: connectionTimeout,
      // Making a connection costs both sides more than any statement: one stays, and those of a burst are kept for the next one.
      min: 1,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelay,
      // Idle connections beside one without an answer would be found out one by one.
      Client: clientsOf({ statementTimeout, onSilence: abandonIdle }),
      types: { getTypeParser },
    },
  })
  await database.initialize().catch((cause: unknown) => {
    throw unavailable(cause)
  })
  bind(database)
  return database
}

/**
 * Counts the connections of the pool and the callers that wait for one, for metrics. The pool hands an idle connection over a tick after it
 * was asked for: until then its caller is counted by the pool, and waits for nothing.
 */
export function poolState(database: DataSource): { total: number; idle: number; waiting: number } {
  const { totalCount, idleCount, waitingCount } = poolOf(database)
  return { total: totalCount, idle: idleCount, waiting: Math.max(0, waitingCount - idleCount) }
}

const bigint = 20
/** Milliseconds after which an idle connection asks whether its server is still there. */
const keepAliveDelay = 10_000

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === bigint) return (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)
  return pg.types.getTypeParser(oid, format)
}
