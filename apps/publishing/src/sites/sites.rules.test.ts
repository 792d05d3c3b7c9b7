import { describe, expect, it } from '@jest/globals'
import { addressOf, hostOf } from '../addresses/addresses.rules.ts'
import { basenameOf, freeBasename, titleOfSite } from './sites.rules.ts'

describe('the basename of a site', () => {
  it.each([
    ['Acme Docs', 'acme-docs'],
    ['Übersicht: API v2!', 'ubersicht-api-v2'],
    ['日本語', 'docs'],
    ['x'.repeat(100), 'x'.repeat(55)],
  ])('of %s', (title, expected) => {
    expect(basenameOf(title)).toBe(expected)
  })

  it('is unique', () => {
    expect(freeBasename('docs', ['docs', 'docs-1'])).toBe('docs-2')
    expect(freeBasename('docs', ['docs-1'])).toBe('docs')
  })
})

it.each([
  ['Given', 'Space', 'Given'],
  [undefined, 'Space', 'Space'],
  [undefined, 'X', 'Docs'],
  [undefined, undefined, 'Docs'],
])('the title of a site: %s, with a space %s', (title, space, expected) => {
  expect(titleOfSite(title, space)).toBe(expected)
})

describe('the address of a site', () => {
  const sitesUrl = 'https://{basename}.docs.test'
  const site = { basename: 'acme', hostname: null, proxy: null }
  it.each([
    [site, 'https://acme.docs.test/', 'acme.docs.test'],
    [{ ...site, hostname: 'docs.acme.test' }, 'https://docs.acme.test/', 'docs.acme.test'],
    [{ ...site, proxy: 'acme.test/docs' }, 'https://acme.test/docs/', 'acme.docs.test'],
  ])('of %j', (addressed, address, host) => {
    expect([addressOf(addressed, sitesUrl), hostOf(addressed, sitesUrl)]).toEqual([address, host])
  })
})
