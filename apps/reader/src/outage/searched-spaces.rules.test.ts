import { expect, it } from '@jest/globals'
import type { PublishedSite } from '../api/types.ts'
import { searchedSpaces } from './searched-spaces.rules.ts'

const one = (id: string, space: string, isDefault = false) => ({
  id,
  space: { id: space },
  ...(isDefault && { default: true }),
})
const section = (id: string, ...siteSpaces: object[]) => ({ object: 'site-section', id, siteSpaces })
const variants = { structure: { type: 'siteSpaces', structure: [one('new', 'n', true), one('old', 'o')] } }
const sections = {
  structure: {
    type: 'sections',
    structure: [
      section('guides', one('g', 'guide', true), one('g1', 'guide1')),
      section('api', one('a1', 'api1'), one('a', 'api', true)),
      section('again', one('x', 'guide', true)),
      section('none', one('y', 'first'), one('z', 'second')),
    ],
  },
}

it.each([
  ['the default variant', variants, 'new', ['n']],
  ['another variant alone', variants, 'old', ['o']],
  ['a space, and the default ones of other sections, each once', sections, 'g', ['guide', 'api', 'first']],
  ['a variant in place of the default one of its section', sections, 'a1', ['guide', 'api1', 'first']],
  ['a variant of a space that another section shows', sections, 'g1', ['guide1', 'api', 'guide', 'first']],
  ['the default ones, at no space', sections, undefined, ['guide', 'api', 'first']],
])('a search is about %s', (_title, site, current, spaces) => {
  const siteSpaces = searchedSpaces(site as unknown as PublishedSite, current)
  expect(siteSpaces.map(({ space }) => space.id)).toEqual(spaces)
})
