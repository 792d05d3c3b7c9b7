import { join } from 'node:path'
import servers from './servers.config.mjs'

const {
  maxWorkers: _workers,
  workerIdleMemoryLimit,
  passWithNoTests,
  testTimeout,
  reporters,
  ...project
} = {
  ...servers,
  globalSetup: join(import.meta.dirname, '../e2e/src/global-setup.ts'),
  testRunner: join(import.meta.dirname, 'until-deadline.cjs'),
}

/**
 * The suites of the whole product, some of which share an installation, see e2e/src/shared-stack.ts. What a user does with a published
 * client is done with each of them, see e2e/src/published-client.ts.
 */
export default {
  // Much of the time a suite waits for the product.
  maxWorkers: 3,
  workerIdleMemoryLimit,
  passWithNoTests,
  testTimeout,
  reporters,
  testSequencer: join(import.meta.dirname, 'longest-first.cjs'),
  projects: [
    { ...project, displayName: 'e2e' },
    {
      ...project,
      displayName: 'client of today',
      testMatch: ['walk', '*-walk', '*-story', 'published-site'].map(name => `**/${name}.test.ts`),
      testEnvironmentOptions: { variables: { PUBLISHED_CLIENT: 'gitbook-api-today' } },
    },
  ],
}
