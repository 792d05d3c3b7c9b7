import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const stripped = { module: { type: 'commonjs', ignoreDynamic: false } }

/** Jest configuration shared by all projects, run from the project's folder. See docs/decisions/0020-jest.md. */
export default {
  rootDir: process.cwd(),
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json'],
  passWithNoTests: true,
  injectGlobals: false,
  // Ends what hangs. No test is given less: what takes seconds here takes a minute on a busy machine.
  testTimeout: 600_000,
  // tsc checks types; here they are only stripped.
  transform: {
    '\\.ts$': ['@swc/jest', { ...stripped, jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
    '\\.tsx$': [
      '@swc/jest',
      {
        ...stripped,
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
          target: 'es2023',
        },
      },
    ],
  },
  runtime: join(root, 'jest/runtime.cjs'),
  testEnvironment: join(root, 'jest/environment.cjs'),
  cacheDirectory: join(root, 'node_modules/.cache/jest'),
  reporters: ['default', join(root, 'jest/results-reporter.cjs')],
}
