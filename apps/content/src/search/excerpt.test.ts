import { expect, it } from '@jest/globals'
import { excerpt, matcherOf } from './excerpt.ts'

const matches = matcherOf([
  { lexeme: 'zebra', prefix: false },
  { lexeme: 'str', prefix: true },
])
const filler = 'some words '.repeat(60)

it.each([
  ['a short text', 'A zebra.', 'A zebra.'],
  ['white space', 'A\n\n zebra\t.', 'A zebra .'],
  ['no match', filler, /^some words .* …$/],
  ['a match far behind', `${filler}the zebra ${filler}`, /^… .*the zebra .* …$/],
  ['a match by its beginning', `${filler}the stripes`, /^… .*the stripes$/],
  ['a text without spaces', `${'字'.repeat(500)}zebra${'字'.repeat(500)}`, /^… .*zebra.* …$/],
  ['surrogates', `${'😀'.repeat(300)} zebra`, /^… (?:😀)+ zebra$/u],
])('An excerpt is made of %s', (_title, text, expected) => {
  const result = excerpt(text, matches)
  if (typeof expected === 'string') expect(result).toBe(expected)
  else expect(result).toMatch(expected)
  expect(result.length).toBeLessThanOrEqual(245)
})
