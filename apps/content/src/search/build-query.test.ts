import { expect, it } from '@jest/globals'
import { buildQuery } from './build-query.ts'
import { parseQuery } from './parse-query.ts'

const emptyVocabulary = {
  uses: new Map(),
  prefixes: new Set<string>(),
  endings: new Map(),
  similar: new Map(),
  pages: 0,
}

it('buildQuery asks the index for a prefix alone, and not for the words that begin with it', () => {
  const built = buildQuery(parseQuery('buffer'), emptyVocabulary)
  expect(built?.all).toContain("'buffer':*")
  expect(built?.all).not.toContain("'buffer' ")
  expect(built?.terms[0]).toMatchObject({ exact: "'buffer'", inTitle: "'buffer':A" })
})
