import { expect, it } from '@jest/globals'
import { isMemberRoot, isSiteRoot, memberRoot, siteRoots } from './site-roots.rules.ts'

const site = { basename: 'acme', hostname: 'docs.acme.test', proxy: 'acme.test/Help' }
const places = { sitesUrl: 'https://{basename}.docs.test', readerUrl: 'http://localhost:3010' }

it('A site is at its hosts, and below the reader of the installation', () => {
  expect(siteRoots(site, places)).toEqual([
    'https://acme.test/help',
    'https://docs.acme.test',
    'https://acme.docs.test',
    'http://localhost:3010/docs.acme.test',
    'http://localhost:3010/acme',
  ])
  expect(siteRoots({ ...site, hostname: null, proxy: null }, { ...places, readerUrl: undefined })).toEqual([
    'https://acme.docs.test',
  ])
})

it.each<[string, boolean]>([
  ['https://docs.acme.test', true],
  ['https://docs.acme.test/', true],
  ['https://acme.docs.test', true],
  ['https://acme.test/help', true],
  ['https://acme.test/Help/', true],
  ['http://localhost:3010/acme', true],
  ['https://acme.test', false],
  ['https://acme.test/help/more', false],
  ['https://docs.acme.test:8443', false],
  ['http://docs.acme.test', false],
  ['https://docs.acme.test.evil.test', false],
  ['https://docs.acme.test@evil.test', false],
  ['https://evil@docs.acme.test', false],
  ['https://docs.acme.test/?x', false],
  ['https://docs.acme.test/#x', false],
  ['https://other.docs.test', false],
  ['http://localhost:3010/other', false],
  ['http://localhost:3011/acme', false],
  ['http://acme.docs.localhost:3010', false],
])('The site of the table is at %s: %s', (root, expected) => {
  expect(isSiteRoot(root, site, places)).toBe(expected)
})

it('A site below localhost may be tried out at any port', () => {
  const local = { ...places, sitesUrl: 'https://{basename}.docs.localhost' }
  expect(isSiteRoot('http://acme.docs.localhost:3010', site, local)).toBe(true)
  expect(isSiteRoot('http://other.docs.localhost:3010', site, local)).toBe(false)
})

it('Members sign in at all addresses of a site but its proxy, and below localhost at the port of the reader', () => {
  const [proxy = '', ...own] = siteRoots(site, places)
  expect(isMemberRoot(proxy, site, places)).toBe(false)
  for (const root of own) expect(isMemberRoot(root, site, places)).toBe(true)
  const atLocalhost = { ...site, proxy: 'help.localhost' }
  expect(isSiteRoot('http://help.localhost:3010', atLocalhost, places)).toBe(true)
  expect(isMemberRoot('http://help.localhost:3010', atLocalhost, places)).toBe(false)
  const local = { ...places, sitesUrl: 'https://{basename}.docs.localhost' }
  for (const root of ['https://acme.docs.localhost/', 'http://acme.docs.localhost:3010'])
    expect(isMemberRoot(root, site, local)).toBe(true)
  for (const root of ['http://acme.docs.localhost', 'http://acme.docs.localhost:8080'])
    expect(isMemberRoot(root, site, local)).toBe(false)
  expect(isMemberRoot('http://acme.docs.localhost:8080', site, { ...local, readerUrl: undefined })).toBe(true)
})

it.each<[string, string | null, string]>([
  ['https://acme.test/help', 'docs.acme.test', 'https://docs.acme.test'],
  ['https://acme.test/help', null, 'https://acme.docs.test'],
  ['https://docs.acme.test', 'docs.acme.test', 'https://docs.acme.test'],
  ['https://acme.docs.test', 'docs.acme.test', 'https://acme.docs.test'],
])('Members who open %s of a site with the hostname %s sign in at %s', (root, hostname, expected) => {
  expect(memberRoot(root, { ...site, hostname }, places.sitesUrl)).toBe(expected)
})
