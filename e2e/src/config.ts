/** The environment without what belongs to the test runner or would point the product elsewhere. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const foreign =
    /^(VITEST|NODE_ENV|NODE_OPTIONS|OTEL_|DATABASE_URL_|NATS_URL|PORT$|DATA_DIR$|ADMIN_TOKEN$|PUBLIC_URL$|BLOB_URL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Whether the traces that a test has received are printed. */
export const printTraces = process.env.PRINT_TRACES === '1'
