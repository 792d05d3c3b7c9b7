import pg from 'pg'
import type { DataSource } from 'typeorm'
import { abandon } from './silent-server.ts'

const pools = new WeakMap<DataSource, pg.Pool>()

/** The driver of one data source: `pg`, with a pool that `poolOf` finds again. TypeORM takes it as its `driver` option. */
export interface PoolDriver {
  /** The `driver` option of the data source. */
  driver: typeof pg
  /** Names the data source that TypeORM made the pool for; throws a `TypeError` when it made none. */
  bind(database: DataSource): void
  /** Ends the connections that nobody uses. */
  abandonIdle(): void
}

/** Creates the driver of one data source. */
export function createPoolDriver(): PoolDriver {
  const created: pg.Pool[] = []
  const idle = new Set<pg.PoolClient>()
  class RegisteredPool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super(config)
      created.push(this)
      this.on('acquire', client => void idle.delete(client))
      this.on('release', (_error, client) => void idle.add(client))
      this.on('remove', client => void idle.delete(client))
    }
  }
  return {
    driver: { ...pg, Pool: RegisteredPool },
    bind(database) {
      const [pool] = created
      if (!pool) throw new TypeError('TypeORM has created no pool')
      pools.set(database, pool)
    },
    abandonIdle: () => idle.forEach(abandon),
  }
}

/** The connection pool of a data source that `openDatabase` opened; throws a `TypeError` for any other. */
export function poolOf(database: DataSource): pg.Pool {
  const pool = pools.get(database)
  if (!pool) throw new TypeError('The data source was not opened by openDatabase')
  return pool
}

/** Calls back whenever a connection is taken out of the pool, until the returned function is called; for measurements. */
export function onConnectionAcquired(database: DataSource, listener: () => void): () => void {
  const pool = poolOf(database)
  pool.on('acquire', listener)
  return () => void pool.off('acquire', listener)
}
