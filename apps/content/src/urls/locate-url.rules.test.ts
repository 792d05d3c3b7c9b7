import { describe, expect, it } from '@jest/globals'
import { locateUrl, type UrlLocation } from './locate-url.rules.ts'

const base = 'https://docs.example:8443'
const space = (more: object = {}) => ({ kind: 'space', spaceId: 'S', ...more }) as UrlLocation
const collection: UrlLocation = { kind: 'collection', collectionId: 'C' }

describe('a URL', () => {
  it.each<[string, UrlLocation | undefined]>([
    ['/s/S', space()],
    ['/s/S/', space()],
    ['/s/S?view=1#top', space()],
    ['/s/S/guide/setup', space({ page: { path: 'guide/setup' } })],
    ['/s/S/%C3%BCber%20uns/', space({ page: { path: 'über uns' } })],
    ['/s/S/a%2Fb', space({ page: { path: 'a/b' } })],
    ['/s/S/~/pages/P', space({ page: { id: 'P' } })],
    ['/s/S/~/revisions/R', space({ revisionId: 'R' })],
    ['/s/S/~/revisions/R/guide/setup', space({ revisionId: 'R', page: { path: 'guide/setup' } })],
    ['/s/S/~/revisions/R/~/pages/P', space({ revisionId: 'R', page: { id: 'P' } })],
    ['/s/S/~/changes/7', space({ changeRequestId: '7' })],
    ['/s/S/~/changes/7/guide', space({ changeRequestId: '7', page: { path: 'guide' } })],
    ['/s/S/~/changes', undefined],
    ['/s/S/~/changes/7/~/revisions/R', undefined],
    ['/c/C', collection],
    ['/c/C/', collection],
    ['/v1/spaces/S', space()],
    ['/v1/collections/C', collection],
    ['', undefined],
    ['/', undefined],
    ['/s', undefined],
    ['/s/', undefined],
    ['/s/%00', undefined],
    ['/s/S/a%00b', undefined],
    ['/s//guide', undefined],
    ['/s/S/guide//setup', undefined],
    ['/s/S/%', undefined],
    ['/s/S/~', undefined],
    ['/s/S/~/pages', undefined],
    ['/s/S/~/pages/P/more', undefined],
    ['/s/S/~/settings/P', undefined],
    ['/s/S/~/revisions', undefined],
    ['/s/S/~/revisions/R/~/revisions/R', undefined],
    ['/c', undefined],
    ['/c/C/more', undefined],
    ['/v1', undefined],
    ['/v1/spaces', undefined],
    ['/v1/spaces/S/content', undefined],
    ['/v1/orgs/O', undefined],
    ['/v2/spaces/S', undefined],
    ['/o/O', undefined],
  ])('A URL with the path %s has its target', (path, location) =>
    expect(locateUrl(`${base}${path}`, base)).toEqual(location),
  )

  it.each([
    'https://docs.example/s/S',
    'http://docs.example:8443/s/S',
    'https://other.example:8443/s/S',
    'https://docs.example:8443.other.example/s/S',
    'https://docs.example:8443@other.example/s/S',
    'nothing',
  ])('A URL of another host is not located: %s', url => expect(locateUrl(url, base)).toBeUndefined())

  it('A URL may be below a path', () => {
    expect(locateUrl('https://docs.example/recto/s/S', 'https://docs.example/recto')).toEqual(space())
    expect(locateUrl('https://docs.example/rectory/s/S', 'https://docs.example/recto')).toBeUndefined()
    expect(locateUrl('https://DOCS.example/recto/c/C', 'https://docs.example/recto/')).toEqual(collection)
  })
})
