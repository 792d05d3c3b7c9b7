/** Variables that would point the product elsewhere, change what is measured, or tell npm that it runs inside itself. */
const foreign =
  /^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|DATABASE_URL_|NATS_URL$|PORT$|DATA_DIR$|ADMIN_TOKEN$|PUBLIC_URL$|BLOB_URL$|LOG_LEVEL$|OTEL_|GIT_)/

/** What the bench reads from the environment; `BENCH_*` is what it tells the bare pipe's processes. */
export const config = {
  environment: Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
  bare: {
    natsUrl: process.env.BENCH_NATS_URL ?? '',
    databaseUrl: process.env.BENCH_DATABASE_URL ?? '',
  },
}
