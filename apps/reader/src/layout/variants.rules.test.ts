import { describe, expect, it, test } from '@jest/globals'
import type { SiteSpace } from '../api/types.ts'
import type { OpenedSite } from '../loaders/open-site.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { outdatedBy, samePageHref, variantsOf } from './variants.rules.ts'

const variant = (id: string, language?: string, isDefault = false) =>
  ({ id, title: id, default: isDefault, space: { id, language } }) as unknown as SiteSpace
const page = (id: string, path: string) => ({ page: { id, path } }) as unknown as TreePage
const home = page('p1', 'home')

/** A site without sections at one of its spaces. */
const siteAt = (siteSpace: SiteSpace, structure: SiteSpace[]) =>
  ({
    siteSpace,
    published: { structure: { type: 'siteSpaces', structure } },
    tree: { home },
    links: {
      ofPage: (path: string) => (path === 'home' ? '/' : `/${path}`),
      ofSiteSpace: ({ id }: SiteSpace) => `/${id}`,
      below: ({ id }: SiteSpace) => `/${id}/`,
    },
  }) as unknown as OpenedSite

const next = variant('next', 'en', true)
const old = variant('old', 'en')
const german = variant('german', 'de')
const all = [next, old, german]

describe('The variants of a page', () => {
  it('are all spaces of a site without sections', () => {
    expect(variantsOf(siteAt(old, all))).toEqual(all)
  })

  it('are those that are not hidden, and the one that is read', () => {
    const secret = { ...variant('secret'), hidden: true }
    expect(variantsOf(siteAt(next, [next, secret]))).toEqual([next])
    expect(variantsOf(siteAt(secret, [next, secret]))).toEqual([next, secret])
  })

  it('are the spaces of the section, also of one in a group', () => {
    const section = { object: 'site-section', siteSpaces: [next, old] }
    const group = { object: 'site-section-group', children: [{ object: 'site-section', siteSpaces: [german] }] }
    const published = {
      structure: { type: 'sections', structure: [section, group] },
    } as unknown as OpenedSite['published']
    expect(variantsOf({ published, siteSpace: old })).toEqual([next, old])
    expect(variantsOf({ published, siteSpace: german })).toEqual([german])
    expect(variantsOf({ published, siteSpace: variant('none') })).toEqual([])
  })
})

test.each([
  ['the default', next, all, undefined],
  ['another version', old, all, next],
  ['a translation', german, all, undefined],
  ['a version in no language', variant('bare'), all, undefined],
  ['one of several without a default', old, [old, german], undefined],
])('%s is followed by the notice that it should be', (_name, at, spaces, expected) => {
  expect(outdatedBy(siteAt(at, spaces))).toEqual(expected)
})

test.each([
  ['itself', next, page('p2', 'a/b c'), '/a/b c'],
  ['another variant', old, page('p2', 'a/b c'), '/old/~recto/same-page/p2/a/b%20c'],
  ['another variant from the first page', old, home, '/old'],
  ['another variant from no page', old, undefined, '/old'],
])('A link to %s stays on the page', (_name, to, current, href) => {
  expect(samePageHref(to, { site: siteAt(next, all), current })).toBe(href)
})
