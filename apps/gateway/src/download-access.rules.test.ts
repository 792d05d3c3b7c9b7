import { expect, it } from '@jest/globals'
import { downloadAccess, downloadLifetimeOf, type DownloadAccess } from './download-access.rules.ts'

/** Site `a` was closed at version 5, and `b` never. */
const closings = (areKnown: boolean) => ({
  isClosed: ({ site, version }: { site: string; version: number }) => site === 'a' && version < 5,
  areKnown: () => areKnown,
})

it.each<[string | undefined, DownloadAccess, DownloadAccess]>([
  [undefined, 'open', 'open'],
  ['site a 4', 'ended', 'ended'],
  ['site a 5', 'open', 'unknown'],
  ['site a 6', 'open', 'unknown'],
  ['site b 1', 'open', 'unknown'],
  ['site a', 'ended', 'ended'],
  ['', 'ended', 'ended'],
  ['whatever comes', 'ended', 'ended'],
])(
  'A download that was issued for %j is %s, and %s while closings are not known',
  (issuedFor, withClosings, unknown) => {
    expect([true, false].map(areKnown => downloadAccess(issuedFor, closings(areKnown)))).toEqual([
      withClosings,
      unknown,
    ])
  },
)

it('Whatever keeps a download of a visitor does so for less than the rest of a minute, of which half is for a closing to be known', () => {
  const { cacheControl, redirect, redirectCacheControl } = downloadLifetimeOf('site a 1')
  const seconds = Number(/^private, max-age=(\d+), must-revalidate$/.exec(cacheControl)?.[1])
  expect(seconds).toBeGreaterThan(0)
  // A browser behind a cache that does not say how old its copy is.
  expect(2 * seconds).toBeLessThanOrEqual(30)
  expect(redirect).toBeLessThanOrEqual(30_000)
  expect(redirectCacheControl).toBe('private, no-cache')
})

it('A download of a member is kept as ever', () => {
  expect(downloadLifetimeOf(undefined)).toEqual({ cacheControl: 'private, max-age=3600, immutable', redirect: 60_000 })
})
