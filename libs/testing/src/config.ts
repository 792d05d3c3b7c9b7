/** Environment variables that tests read, and the environment passed to programs that tests start. */
export const config = {
  containers: process.env.TEST_CONTAINERS === '1',
  postgresImage: process.env.TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine',
  natsImage: process.env.TEST_NATS_IMAGE ?? 'nats:2-alpine',
  environment: process.env,
  /** Values provided by the global setup to the workers, as JSON. */
  provided: process.env.TEST_PROVIDED,
}

/** How documents are generated: the seed, `TEST_SEED`, by which a failure is repeated, and how many there are, `TEST_DOCUMENTS`. */
export const generatedDocuments = {
  seed: Number(process.env.TEST_SEED) || Date.now() % 2 ** 31,
  count: Number(process.env.TEST_DOCUMENTS) || 200,
}

/** Passes `json` to child processes through the environment. */
export function provide(json: string): void {
  process.env.TEST_PROVIDED = json
}

/** Disables Testcontainers' cleanup container (Ryuk), which needs one more image; the global teardown stops the containers. */
export function withoutRyuk(): void {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
}
