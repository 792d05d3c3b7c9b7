import { config, provide } from './config.ts'

/** What the global setup makes ready for the workers of a run. */
export interface Provided {
  /** URL of the superuser of the run's PostgreSQL. */
  postgresUrl: string
  /** The nats-server program, for suites that kill and restart one; others take `aNatsServer`. */
  natsBinary: string
  /** A folder of this run, removed at its end. */
  runFolder: string
}

/** Hands values to the workers: they are started later, with the environment that the setup leaves. */
export function provideToWorkers(values: Provided): void {
  provide(JSON.stringify(values))
}

/** What the global setup left for this worker. Throws outside of a run that has libs/testing/src/global-setup.ts. */
export function provided(key: keyof Provided): string {
  if (config.provided === undefined) throw new Error(`There is no ${key}: run this suite with jest/servers.config.mjs`)
  const values: Provided = JSON.parse(config.provided)
  return values[key]
}
