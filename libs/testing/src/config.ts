/** What the tests read from the environment, and the environment that the programs they start get. */
export const config = {
  containers: process.env.TEST_CONTAINERS === '1',
  postgresImage: process.env.TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine',
  natsImage: process.env.TEST_NATS_IMAGE ?? 'nats:2-alpine',
  environment: process.env,
  /** What the run's setup left for its workers, as JSON. */
  provided: process.env.TEST_PROVIDED,
}

/** Leaves `json` for the processes that this one starts. */
export function provide(json: string): void {
  process.env.TEST_PROVIDED = json
}

/** The container library's own cleaner is an image more to have; the teardown of the run stops what it started. */
export function withoutRyuk(): void {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
}
