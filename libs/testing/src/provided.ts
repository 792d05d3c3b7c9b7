import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the superuser of the run's PostgreSQL. */
    postgresUrl: string
    /** The nats-server program; empty when servers are containers. */
    natsBinary: string
    /** A folder of this run, removed at its end. */
    runFolder: string
  }
}

/** What the global setup left for this worker. Throws outside of a run that has libs/testing/src/global-setup.ts. */
export async function provided<K extends 'postgresUrl' | 'natsBinary' | 'runFolder'>(key: K): Promise<string> {
  const { inject } = await import('vitest')
  const value = inject(key)
  if (value === undefined) throw new Error(`There is no ${key}: run this suite with vitest.servers.config.ts`)
  return value
}
