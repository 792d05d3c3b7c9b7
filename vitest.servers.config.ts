import { mergeConfig, defineConfig } from 'vitest/config'
import unit from './vitest.unit.config.ts'

/** Suites that need Postgres and NATS: both are started once per run, see libs/testing. */
export default mergeConfig(
  unit,
  defineConfig({
    test: {
      globalSetup: `${import.meta.dirname}/libs/testing/src/global-setup.ts`,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      maxWorkers: 2,
    },
  }),
)
