/** The environment without the variables of the test runner and those that would point the product at other servers. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const foreign =
    /^(JEST_WORKER_ID|NODE_ENV|NODE_OPTIONS|OTEL_|DATABASE_URL_|NATS_URL|PORT$|DATA_DIR$|ADMIN_TOKEN$|PUBLIC_URL$|BLOB_URL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Passes an address at which a run offers what its files share to its workers, which inherit the environment. */
export function provideSharedParts(url: string): void {
  process.env.SHARED_PARTS_URL = url
}

/** Asks at that address; throws what the run answers when it fails. */
export async function askForShared<T>(path: string): Promise<T> {
  const url = process.env.SHARED_PARTS_URL
  if (url === undefined) throw new Error('This suite is run with jest/e2e.config.mjs')
  const reply = await fetch(new URL(path, url))
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.json()) as T
}

/** Whether tests print the traces that they received. */
export const printTraces = process.env.PRINT_TRACES === '1'

/** The seed of generated inputs: `TEST_SEED`, by which a failure is repeated, else a new one for each run. */
export const testSeed = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31

/** Seconds for which everything but a reader is away: `UNPLUGGED_SECONDS`, 600 with `--testTimeout=1800000` for ten minutes. */
export const unpluggedSeconds = Number(process.env.UNPLUGGED_SECONDS) || 5

/** Seconds for which the servers of a cluster fail again and again: `CLUSTER_SECONDS`, 600 with `--testTimeout=1800000` for ten minutes. */
export const clusterSeconds = Number(process.env.CLUSTER_SECONDS) || 0

/** Where programs are looked up. */
export const programPath = process.env.PATH

/** The program of the browser to test with, unless it is where packages put it. */
export const browserPath = (): string | undefined => process.env.CHROMIUM || undefined

/** Sites that the test of what visitors see makes: others in each run, see `testSeed`. `SAME_EYES_CASES=100` searches for long. */
export const sameEyesCases = Number(process.env.SAME_EYES_CASES) || 4

/** Requests of one kind that it sends at most, for each visitor: fewer let many sites be tried in the same time. */
export const sameEyesRequests = Number(process.env.SAME_EYES_REQUESTS) || 5

/** Where the requests and replies of the test of roles are written: `npm run examples` sets it. */
export const examplesFile = process.env.EXAMPLES_FILE || undefined

/** The folder in which tests of the reader in a browser leave their pictures, to be looked at. */
export const picturesFolder = process.env.PICTURES_FOLDER || undefined

/** The package of the published client that this run of a suite uses, see `jest/e2e.config.mjs`. */
export const testedClient = process.env.PUBLISHED_CLIENT ?? '@gitbook/api'
