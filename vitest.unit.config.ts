import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const { name } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Results are written as JSON so that `npm test` can add them up; named as nx.json says, also when Nx answers from its cache. */
export const results = `${import.meta.dirname}/dist/test-results/${name}.json`

export default defineConfig({
  test: {
    root: process.cwd(),
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    passWithNoTests: true,
    reporters: ['default', ['json', { outputFile: results }]],
  },
})
