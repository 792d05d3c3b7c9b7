import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Results are written as JSON so that `npm test` can add them up, also when Nx answers from its cache. */
export const results = `${import.meta.dirname}/dist/test-results/${basename(process.cwd())}.json`

export default defineConfig({
  test: {
    root: process.cwd(),
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: results }]],
  },
})
