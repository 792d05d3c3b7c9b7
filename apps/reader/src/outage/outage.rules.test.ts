import { expect, it } from '@jest/globals'
import type { PublishedSite } from '../api/types.ts'
import { outageHeaders } from '../responses/outage-headers.rules.ts'
import { dependsOnVisitor, isOpenToAll, isServable, outageTimes, pauseOfChecks } from './outage.rules.ts'

const confirmedFor = 60_000

it.each<[string, number | undefined, number | undefined, number, boolean]>([
  ['one that the API never confirmed in this process', undefined, 100_000, 100_001, false],
  ['one that was confirmed when the outage began', 100_000, 100_000, 100_001, true],
  ['the same ten minutes later', 100_000, 100_000, 700_000, true],
  ['one that was confirmed a minute before', 40_000, 100_000, 700_000, true],
  ['one that was confirmed earlier', 39_999, 100_000, 100_001, false],
  ['one that was confirmed while it lasted', 110_000, 100_000, 700_000, true],
  ['without an outage, one that was confirmed just now', 100_000, undefined, 100_001, true],
  ['without an outage, one that was confirmed before the last', 100_000, undefined, 700_000, false],
])('a site is served from disk: %s', (_title, confirmedAt, outageSince, now, expected) =>
  expect(isServable({ confirmedAt, outageSince, now, confirmedFor })).toBe(expected),
)

it.each([
  ['public', true],
  ['unlisted', true],
  ['share-link', false],
  ['visitor-auth', false],
  ['in-collection', false],
])('a site that is %s is kept: %s', (visibility, expected) =>
  expect(isOpenToAll({ site: { visibility } } as PublishedSite)).toBe(expected),
)

it.each([
  [{ enabled: true }, true],
  [{ enabled: false }, false],
  [undefined, false],
])('with adaptive content %j a site depends on its visitor: %s', (adaptiveContent, expected) =>
  expect(dependsOnVisitor({ site: { adaptiveContent } } as unknown as PublishedSite)).toBe(expected),
)

it('an answer from disk says since when, as RFC 9211 has it', () =>
  expect(outageHeaders('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:10:00.400Z'))).toEqual({
    'cache-status': 'Recto; hit; ttl=-600; detail=outage',
  }))

it.each([
  [1, 5_000],
  [125, 5_000],
  [500, 20_000],
  [10_000, 30_000],
])('each of %i sites is checked every %i milliseconds', (sites, pause) =>
  expect(pauseOfChecks(sites, outageTimes)).toBe(pause),
)
