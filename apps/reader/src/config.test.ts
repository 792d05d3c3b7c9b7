import { expect, test } from '@jest/globals'
import { config } from './config.ts'

const required = { PUBLIC_URL: 'http://recto.test' }

test.each([
  [undefined, 500],
  ['0', 0],
  ['2000', 2_000],
  ['20000', 20_000],
  // Set by who ran a version before: a site that is closed would show for as long.
  ['600000', 20_000],
])('READER_FRESH %s is %i milliseconds', (READER_FRESH, expected) =>
  expect(config({ ...required, ...(READER_FRESH !== undefined && { READER_FRESH }) }).READER_FRESH).toBe(expected),
)
