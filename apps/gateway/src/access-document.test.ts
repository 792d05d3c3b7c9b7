import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { accessDocument } from './access-document.ts'

// `npm run openapi` regenerates it; its diff shows who may use more or less than before.
it('docs/operations-by-role.md is the list of operations that the contract makes', async () => {
  const committed = await readFile(join(import.meta.dirname, '../../../docs/operations-by-role.md'), 'utf8')
  expect(accessDocument()).toBe(committed)
})
