import { describe, expect, it } from '@jest/globals'
import type { PublishedSite, SiteLookup } from '../api/types.ts'
import { resolveAddress } from './resolve-address.rules.ts'

const origin = 'https://a.docs.example'
const siteSpace = (id: string, path: string, published: string, isDefault = false) => ({
  id,
  path,
  space: { id: `space-${id}` },
  urls: { published: `${origin}${published}` },
  ...(isDefault && { default: true }),
})
const lookup = { organization: 'o', site: 's', apiToken: 't' } as SiteLookup
const single = { structure: { type: 'siteSpaces', structure: [siteSpace('main', 'main', '/', true)] } }
const variants = {
  structure: { type: 'siteSpaces', structure: [siteSpace('new', 'new', '/', true), siteSpace('old', 'old', '/old')] },
}
const section = (id: string, path: string, siteSpaces: object[], isDefault = false) => ({
  object: 'site-section',
  id,
  path,
  siteSpaces,
  ...(isDefault && { default: true }),
})
const sections = {
  structure: {
    type: 'sections',
    structure: [
      section('guides', 'guides', [siteSpace('g', 'g', '/', true), siteSpace('g1', 'v1', '/v1')], true),
      {
        object: 'site-section-group',
        children: [section('api', 'api', [siteSpace('a', 'a', '/api', true), siteSpace('a1', 'v1', '/api/v1')])],
      },
    ],
  },
}
const nothingDefault = {
  structure: { type: 'siteSpaces', structure: [siteSpace('x', 'x', '/x'), siteSpace('y', 'y', '/y')] },
}

describe.each([
  ['one space', single, '/', 'main', '/', '/', true],
  ['one space', single, '/main/a', 'main', '/', '/main/a', true],
  ['one space', single, '/a/b%20c', 'main', '/', '/a/b%20c', true],
  ['variants', variants, '/', 'new', '/', '/', false],
  ['variants', variants, '/page', 'new', '/', '/page', true],
  ['variants', variants, '/old', 'old', '/old/', '/', true],
  ['variants', variants, '/OLD/page', 'old', '/OLD/', '/page', true],
  ['variants', variants, '/v/old/page', 'old', '/v/old/', '/page', true],
  ['variants', variants, '/v', 'new', '/', '/v', false],
  ['variants', variants, '/older', 'new', '/', '/older', true],
  ['sections', sections, '/', 'g', '/', '/', false],
  ['sections', sections, '/page', 'g', '/', '/page', true],
  ['sections', sections, '/guides/page', 'g', '/guides/', '/page', true],
  ['sections', sections, '/v1/page', 'g1', '/v1/', '/page', true],
  ['sections', sections, '/api', 'a', '/api/', '/', false],
  ['sections', sections, '/api/page', 'a', '/api/', '/page', true],
  ['sections', sections, '/api/v1/page', 'a1', '/api/v1/', '/page', true],
  ['sections', sections, '/api/~/changes', 'a', '/api/', '/~/changes', false],
  ['no default', nothingDefault, '/page', 'x', '/', '/page', true],
  ['no default', nothingDefault, '/y', 'y', '/y/', '/', true],
])('with %s', (_title, site, path, id, basePath, pathname, complete) => {
  const published = site as unknown as PublishedSite
  it(`${path} leads to ${id}`, () =>
    expect(resolveAddress(`${origin}${path}`, { published, lookup, siteBasePath: '/' })).toMatchObject({
      siteSpace: id,
      space: `space-${id}`,
      basePath,
      siteBasePath: '/',
      pathname,
      complete,
      apiToken: 't',
    }))
  it(`${path} is the same behind a proxy`, () =>
    expect(
      resolveAddress(`https://b.example/Docs${path}`, { published, lookup, siteBasePath: '/docs/' }),
    ).toMatchObject({
      siteSpace: id,
      basePath: `/Docs${basePath}`,
      siteBasePath: '/Docs/',
      pathname,
    }))
})

it.each(['/~/changes/c1', '/~/revisions/r1/page', '/~/pull-requests/p', '/api/~/changes/c1'])(
  'what %s previews is not kept',
  path => {
    const published = sections as unknown as PublishedSite
    expect(resolveAddress(`${origin}${path}`, { published, lookup, siteBasePath: '/' })).toBeUndefined()
  },
)

it('a site that shows nothing leads nowhere', () => {
  const published = { structure: { type: 'siteSpaces', structure: [] } } as unknown as PublishedSite
  expect(resolveAddress(`${origin}/`, { published, lookup, siteBasePath: '/' })).toBeUndefined()
})
