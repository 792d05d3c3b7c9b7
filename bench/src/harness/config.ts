/** Variables that would point the product at other servers, change what is measured, or make npm believe that it runs inside npm. */
const foreign =
  /^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|DATABASE_URL_|NATS_URL$|PORT$|DATA_DIR$|ADMIN_TOKEN$|PUBLIC_URL$|BLOB_URL$|LOG_LEVEL$|OTEL_|GIT_)/

/** The environment for child processes; `BENCH_*` configures the bare pipe. */
export const config = {
  environment: Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
  bare: {
    natsUrl: process.env.BENCH_NATS_URL ?? '',
    databaseUrl: process.env.BENCH_DATABASE_URL ?? '',
  },
}
