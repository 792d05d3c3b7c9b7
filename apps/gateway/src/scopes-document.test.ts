import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { scopesDocument } from './scopes-document.ts'

// `npm run openapi` regenerates it; its diff shows what a scope includes more or less than before.
it('docs/scopes.md is the list of scopes and their operations that the contract makes', async () => {
  const committed = await readFile(join(import.meta.dirname, '../../../docs/scopes.md'), 'utf8')
  expect(scopesDocument()).toBe(committed)
})
