import { join } from 'node:path'
import servers from './servers.config.mjs'

/** The suites of the whole product, some of which share an installation, see e2e/src/shared-stack.ts. */
export default {
  ...servers,
  globalSetup: join(import.meta.dirname, '../e2e/src/global-setup.ts'),
  // Much of the time a suite waits for the product.
  maxWorkers: 3,
}
