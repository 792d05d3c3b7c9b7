import { describe, expect, it } from '@jest/globals'
import {
  addSection,
  addSiteSpace,
  setDeleted,
  structureOf,
  updateSection,
  updateSiteSpace,
} from '../structure/change-structure.rules.ts'
import { publishedStructure, shownStructure, type ShownStructure } from '../structure/shown-structure.rules.ts'
import { droppedSitePaths } from '../former-paths/former-site-paths.rules.ts'
import { makeDefaultSection, type Structure } from '../structure/structure.rules.ts'
import { candidatesOf, derivedId, partsOfSource, placeOf, prefixesOf, spellingsOf } from './redirection.rules.ts'

const siteId = 'site'
const aSpace = (title: string) => ({ id: title.toLowerCase(), title })
const one = structureOf(siteId, [aSpace('Manual')])
const withApi = addSection(one, { siteId, title: 'Api', icon: null, space: aSpace('Latest'), firstTitle: 'Home' })
const api = withApi.id
const whole = addSiteSpace(withApi.structure, { siteId, space: aSpace('Beta'), section: api }).structure
const idOf = (of: Structure, path: string) => of.siteSpaces.find(space => space.path === path)?.id ?? 'nothing'
const sectionTo = (of: Structure, path: string) => updateSection(of, api, { path })
const flipped = makeDefaultSection(whole, api)
const deleting = (of: Structure, space: string) => setDeleted(of, [space], { isDeleted: true, at: new Date() })
const betaTo = (of: Structure, path: string) => updateSiteSpace(of, idOf(whole, 'beta'), { path })

/** Where a path leads: `space | rest`, or the kind of what it leads to, in the order in which they are asked. */
function leads(path: string, structure = whole): string[] {
  return leadsWith(path, shownStructure(structure), dropped(whole, structure))
}
const dropped = (before: Structure, after: Structure) =>
  droppedSitePaths(publishedStructure(before), publishedStructure(after))
function leadsWith(path: string, structure: ShownStructure, former: ReturnType<typeof dropped>): string[] {
  return candidatesOf(structure, former, partsOfSource(path)).map(({ siteSpace, rest, destination }) =>
    rest.length > 0 ? `${siteSpace.spaceId} | ${rest.join('/')}` : `${siteSpace.spaceId} ${destination.kind}`,
  )
}

describe('a path of a site is looked up', () => {
  const renamed = sectionTo(whole, 'reference')
  const both = betaTo(renamed, 'next')
  it.each<[string, string, Structure, string[]]>([
    ['in the default space', '/a/b', whole, ['manual | a/b']],
    ['in the default space of a section', '/api/a', whole, ['latest | a']],
    [
      'as a page, then in the only space of several that is seen',
      '/manual/a',
      whole,
      ['manual | manual/a', 'manual | a'],
    ],
    [
      'as a page, then as the only space of several that is seen',
      '/v/Manual',
      whole,
      ['manual | v/Manual', 'manual site-space'],
    ],
    ['in a space of several, with its name or without', '/api/latest/a', whole, ['latest | a']],
    [
      'as a page of a section, then in the only space of several that is seen',
      '/api/latest/a',
      deleting(whole, 'beta'),
      ['latest | latest/a', 'latest | a'],
    ],
    ['in a space of a section', '/api/beta/a', whole, ['beta | a']],
    ['in a space, whatever the case', '/API/v/Beta/A', whole, ['beta | A']],
    ['as a section', '/Api', whole, ['latest site-section']],
    ['as a space', '/api/beta', whole, ['beta site-space']],
    ['in the section that was at the root', '/a', flipped, ['latest | a', 'manual | a']],
    ['in a space of the section that is at the root now', '/api/beta/a', flipped, ['beta | a', 'beta | a']],
    ['as a preview never', '/api/~/changes/x', whole, []],
    ['as a page, then in the section that had its path', '/api/a', renamed, ['manual | api/a', 'latest | a']],
    ['as a section that had its path', '/api', renamed, ['manual | api', 'latest site-section']],
    ['in a space of a section that had its path', '/api/beta/a', renamed, ['manual | api/beta/a', 'beta | a']],
    ['in a space that had its path', '/api/beta/a', both, ['manual | api/beta/a', 'beta | a']],
    ['in a section that had its path, not in what its spaces had', '/api/b', both, ['manual | api/b', 'latest | b']],
    ['as a space that had its path', '/api/beta', both, ['manual | api/beta', 'beta site-space']],
  ])('%s: %s', (_what, path, structure, expected) => expect(leads(path, structure)).toEqual(expected))

  it('not in what is gone, or hidden from the caller', () => {
    const hidden = {
      ...shownStructure(renamed),
      sections: renamed.sections.filter(({ id }) => id !== api),
      siteSpaces: renamed.siteSpaces.filter(({ sectionId }) => sectionId !== api),
    }
    expect(leadsWith('/api/beta/a', hidden, dropped(whole, renamed))).toEqual(['manual | api/beta/a'])
  })
})

describe('paths that sections and spaces drop', () => {
  const paths = (after: Structure, before = whole) => dropped(before, after).map(({ path, kind }) => [path, kind])
  it('are those of a renamed section and of its spaces, and of a renamed space', () => {
    expect(paths(whole)).toEqual([])
    expect(paths(sectionTo(whole, 'x'))).toEqual([
      ['api', 'site-section'],
      ['api/beta', 'site-space'],
    ])
    expect(paths(betaTo(whole, 'x'))).toEqual([['api/beta', 'site-space']])
  })
  it('are none of what is gone, and empty for what was at the root', () => {
    expect(paths(one)).toEqual([])
    expect(paths(flipped)).toEqual([
      ['', 'site-section'],
      ['api', 'site-section'],
      ['api/beta', 'site-space'],
    ])
    expect(paths(whole, flipped)).toEqual([
      ['home', 'site-section'],
      ['', 'site-section'],
      ['beta', 'site-space'],
    ])
  })
  it('are those of what takes the place of a deleted default, and what it had there when that is restored', () => {
    const latest = deleting(whole, 'latest')
    expect(paths(latest)).toEqual([['api/beta', 'site-space']])
    expect(paths(whole, latest)).toEqual([['api', 'site-space']])
    const manual = deleting(whole, 'manual')
    expect(paths(manual)).toEqual([
      ['api', 'site-section'],
      ['api/beta', 'site-space'],
    ])
    expect(paths(whole, manual)).toEqual([
      ['', 'site-section'],
      ['beta', 'site-space'],
    ])
  })
})

it('what was at a path before the default was deleted is found where it is now', () => {
  expect(leads('/api/beta/a', deleting(whole, 'latest'))).toEqual(['beta | beta/a', 'beta | a', 'beta | a'])
  expect(leads('/api/beta/a', deleting(whole, 'manual'))).toEqual(['beta | a', 'beta | a'])
  expect(leads('/api/a', deleting(whole, 'manual'))).toEqual(['latest | a', 'latest | a'])
})

it('a destination that the caller does not see has no place', () => {
  const siteSpaceId = idOf(whole, 'beta')
  expect(placeOf(shownStructure(whole), { kind: 'site-section', siteSectionId: api })).toEqual({ parts: ['api'] })
  expect(placeOf(shownStructure(whole), { kind: 'site-page', siteSpaceId, pageId: 'p' })).toEqual({
    parts: ['api', 'beta'],
    space: 'beta',
  })
  expect(placeOf(shownStructure(whole), { kind: 'site-space', siteSpaceId: 'nothing' })).toBeUndefined()
  expect(placeOf(shownStructure(whole), { kind: 'site-section', siteSectionId: 'nothing' })).toBeUndefined()
})

it('a source has parts, beginnings, spellings and an id', () => {
  expect(partsOfSource('/a%20b/%FF')).toEqual(['a b', '%FF'])
  expect(prefixesOf(['A', 'b', 'c'])).toEqual(['', 'a', 'a/b'])
  expect(spellingsOf('/Old/%41')).toEqual(['/Old/%41', '/Old/A', '/old/%41', '/old/a'])
  expect(spellingsOf('/%C3%84%5B')).toEqual(['/%C3%84%5B', '/%c3%84%5b', '/%C3%A4%5B', '/%c3%a4%5b'])
  expect(derivedId('s', '/a')).toMatch(/^[0-9A-Za-z]{20}$/)
  expect(derivedId('s', '/a')).toBe(derivedId('s', '/a'))
  expect(derivedId('s', '/a')).not.toBe(derivedId('s', '/b'))
})
