/** The environment without the variables of the test runner and those that would point the product at other servers. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const foreign =
    /^(VITEST|NODE_ENV|NODE_OPTIONS|OTEL_|DATABASE_URL_|NATS_URL|PORT$|DATA_DIR$|ADMIN_TOKEN$|PUBLIC_URL$|BLOB_URL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Whether tests print the traces that they received. */
export const printTraces = process.env.PRINT_TRACES === '1'
