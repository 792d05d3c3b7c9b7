import { expect, test } from '@jest/globals'
import { fileCacheControl, fontCacheControl, pageCaching } from './caching.rules.ts'

test.each([
  ['a page', pageCaching],
  ['a file', fileCacheControl],
])('nothing keeps %s for a minute after its site was closed', (_what, caching) => {
  for (const isForEverybody of [true, false]) {
    const directives = caching(isForEverybody).split(', ')
    const age = Number(directives.find(each => each.startsWith('max-age='))?.slice('max-age='.length) ?? 0)
    // In a browser, behind a cache that does not say how old its copy is.
    expect(2 * age).toBeLessThanOrEqual(30)
    expect(directives.includes('must-revalidate') || directives.includes('no-cache')).toBe(true)
    expect(directives.filter(each => /^(?:stale-|s-maxage|immutable)/.test(each))).toEqual([])
    expect(directives[0]).toBe(isForEverybody ? 'public' : 'private')
  }
})

test.each([
  [true, 'public, max-age=31536000, immutable'],
  [false, 'private, max-age=31536000, immutable'],
])(
  'a font is kept for ever, and by a cache on the way if everybody may read the site (%s)',
  (isForEverybody, expected) => expect(fontCacheControl(isForEverybody)).toBe(expected),
)
