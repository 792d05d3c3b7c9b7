import { describe, expect, it } from '@jest/globals'
import type { SiteLookup, PublishedSite, Section, SiteSpace } from '../api/types.ts'
import { sectionsOf, siteLinks, siteSpacesOf } from './site-links.rules.ts'

const variant = (path: string, more: object = {}) =>
  ({ id: `id ${path}`, path, title: path, space: { id: `space ${path}` }, ...more }) as unknown as SiteSpace
const section = (path: string, siteSpaces: SiteSpace[], more: object = {}) =>
  ({ object: 'site-section', id: path, path, title: path, siteSpaces, ...more }) as unknown as Section
const siteOf = (structure: object) => ({ structure }) as unknown as PublishedSite

const start = variant('start', { default: true })
const old = variant('old')
const odd = variant('ü/?#')
const twin = variant('api', { id: 'twin of the section' })
const reference = variant('reference', { default: true })
const latest = variant('latest')
const guides = section('guides', [start, old, odd, twin], { default: true })
const api = section('api', [reference, latest])
const sectioned = siteOf({
  type: 'sections',
  structure: [guides, { object: 'site-section-group', children: [{ object: 'site-section-group', children: [api] }] }],
})

const lookup = { siteBasePath: '/', basePath: '/old/', canonicalUrl: 'https://docs.test/old/' } as unknown as SiteLookup
const linksOf = (place: object = {}) =>
  siteLinks(sectioned, { lookup, mountPath: '', isPreview: false, homePath: 'home', ...place })

describe('addresses of a site', () => {
  it.each([
    ['the default space of the default section', start, '/'],
    ['another space of it', old, '/old/'],
    ['a space with a path that has to be encoded', odd, '/%C3%BC%2F%3F%23/'],
    ['a space whose path a section has', twin, '/guides/api/'],
    ['the default space of another section', reference, '/api/'],
    ['another space of that', latest, '/api/latest/'],
  ])('lead to %s', (_what, siteSpace, path) => {
    expect(linksOf().below(siteSpace)).toBe(path)
    expect(linksOf({ mountPath: '/docs' }).below(siteSpace)).toBe(`/docs${path}`)
  })

  it.each(['', '/docs'])(
    'begin without a slash, which would be redirected, except at the root below "%s"',
    mountPath => {
      const links = linksOf({ mountPath })
      expect([start, old, reference].map(links.ofSiteSpace)).toEqual(
        ['/', '/old', '/api'].map(path => `${mountPath}${path}`),
      )
      expect(links.ofPage('home')).toBe(`${mountPath}/old`)
    },
  )

  it('lead to sections', () => expect([guides, api].map(linksOf().ofSection)).toEqual(['/', '/api']))

  it.each([
    ['home', '/old'],
    ['a/b', '/old/a/b'],
    ['a?b#c/ü', '/old/a%3Fb%23c/%C3%BC'],
    ['//evil.example', '/old///evil.example'],
  ])('lead to the page %s', (path, href) => expect(linksOf().ofPage(path)).toBe(href))

  it.each([
    ['https://docs.test/a?b=c#d', '', '/a?b=c#d'],
    ['https://docs.test/a', '/docs', '/docs/a'],
    ['http://docs.test/a', '', 'http://docs.test/a'],
    ['https://docs.test:8443/a', '', 'https://docs.test:8443/a'],
    ['https://docs.test.evil.example/', '', 'https://docs.test.evil.example/'],
    ['https://other.test/a', '/docs', 'https://other.test/a'],
    ['/a', '/docs', '/a'],
  ])('lead to the published URL %s below "%s"', (url, mountPath, href) =>
    expect(linksOf({ mountPath }).ofPublished(url)).toBe(href),
  )
})

describe('the spaces of a site', () => {
  it('are those of all sections, in whatever groups', () => {
    expect(sectionsOf(sectioned)).toEqual([guides, api])
    expect(siteSpacesOf(sectioned)).toEqual([start, old, odd, twin, reference, latest])
  })

  it('are its own where it has no sections', () => {
    const plain = siteOf({ type: 'siteSpaces', structure: [start, old] })
    expect([sectionsOf(plain), siteSpacesOf(plain)]).toEqual([[], [start, old]])
  })
})
