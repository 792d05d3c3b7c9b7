import { join } from 'node:path'
import unit from './unit.config.mjs'

/** Suites that need Postgres and NATS: PostgreSQL is started and nats-server located once per run, see libs/testing. */
export default {
  ...unit,
  globalSetup: join(import.meta.dirname, '../libs/testing/src/global-setup.ts'),
  globalTeardown: join(import.meta.dirname, '../libs/testing/src/global-teardown.ts'),
  maxWorkers: 2,
  // A worker keeps what its files leave behind; a large heap makes all that follow slower.
  workerIdleMemoryLimit: '800MB',
}
