import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Jest configuration shared by all projects, run from the project's folder. See docs/decisions/0020-jest.md. */
export default {
  rootDir: process.cwd(),
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  passWithNoTests: true,
  injectGlobals: false,
  testTimeout: 30_000,
  // tsc checks types; here they are only stripped.
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  runtime: join(root, 'jest/runtime.cjs'),
  testEnvironment: join(root, 'jest/environment.cjs'),
  cacheDirectory: join(root, 'node_modules/.cache/jest'),
  reporters: ['default', join(root, 'jest/results-reporter.cjs')],
}
