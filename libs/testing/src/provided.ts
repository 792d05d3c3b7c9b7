import { config, provide } from './config.ts'

/** Values that the global setup provides to the workers of a run. */
export interface Provided {
  /** URL of the superuser of the run's PostgreSQL. */
  postgresUrl: string
  /** The nats-server program, for suites that kill and restart one; others use `aNatsServer`. */
  natsBinary: string
  /** A temporary folder of this run, removed at its end. */
  runFolder: string
}

/** Passes values to the workers through the environment, which they inherit when they start. */
export function provideToWorkers(values: Provided): void {
  provide(JSON.stringify(values))
}

/** Reads a value provided by the global setup. Throws when libs/testing/src/global-setup.ts has not run. */
export function provided(key: keyof Provided): string {
  if (config.provided === undefined) throw new Error(`There is no ${key}: run this suite with jest/servers.config.mjs`)
  const values: Provided = JSON.parse(config.provided)
  return values[key]
}
