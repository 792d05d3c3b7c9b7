import { describe, expect, it } from '@jest/globals'
import { visitedPlaceOf, parsePlaceUrl } from './visited-place.rules.ts'

const app = 'https://recto.test'

describe('a URL of the application names', () => {
  it.each<[string, object | undefined]>([
    ['/s/one', { space: 'one', hash: '' }],
    ['/s/one/', { space: 'one', hash: '' }],
    ['/s/one#a', { space: 'one', hash: '#a' }],
    ['/s/one/~/pages/p', { space: 'one', page: { page: 'p' }, hash: '' }],
    ['/s/one/~/pages/p#a%20b', { space: 'one', page: { page: 'p' }, hash: '#a%20b' }],
    ['/s/one/guides/in%20stall?x#a', { space: 'one', page: { path: 'guides/in stall' }, hash: '#a' }],
    ['/s/one/~/files/f', undefined],
    ['/s/one/~/reusable/r', undefined],
    ['/s/one/~/revisions/r', undefined],
    ['/s/one/~/changes/1/guides', undefined],
    ['/v1/spaces/one', undefined],
    ['/c/collection', undefined],
    ['/u/user', undefined],
    ['/s/', undefined],
    ['/s/%E0%A4%A', undefined],
  ])('A URL of the application names its target: %s', (path, expected) =>
    expect(parsePlaceUrl(`${app}${path}`, app)).toEqual(expected && { url: `${app}${path}`, ...expected }),
  )

  it('A URL on another server names nothing of the application', () =>
    expect(parsePlaceUrl('https://evil.test/s/one', app)).toBeUndefined())
})

describe('a place is', () => {
  const page = { id: 'p', path: 'a b/ü' }
  const url = 'https://docs.test/api/'
  const ref = { kind: 'page', page: 'p', space: 'one' }
  const anchor = { kind: 'anchor', anchor: 'x y', page: 'p', space: 'one' }
  const place = { space: 'one', hash: '' }
  it.each<[string, Parameters<typeof visitedPlaceOf>, object]>([
    ['a page of the site', [place, { page, isOnSite: true, url }], { ref, url: `${url}a%20b/%C3%BC` }],
    ['a page of a site without address', [place, { page, isOnSite: true }], { ref }],
    [
      'an anchor of the site',
      [
        { ...place, hash: '#x%20y' },
        { page, isOnSite: true, url },
      ],
      { ref: anchor, url: `${url}a%20b/%C3%BC#x%20y` },
    ],
    ['a space of the site', [place, { isOnSite: true, url }], { ref: { kind: 'space', space: 'one' }, url }],
    [
      'a page of another site',
      [
        { ...place, hash: '#x' },
        { page, isOnSite: false, url },
      ],
      { ref: { kind: 'url', url: `${url}a%20b/%C3%BC#x` }, url: `${url}a%20b/%C3%BC#x` },
    ],
    ['a space of another site', [place, { isOnSite: false, url }], { ref: { kind: 'url', url }, url }],
  ])('A visitor gets the place of %s', (_case, args, expected) => expect(visitedPlaceOf(...args)).toEqual(expected))
})
