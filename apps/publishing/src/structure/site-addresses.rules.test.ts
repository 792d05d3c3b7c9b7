import { describe, expect, it } from '@jest/globals'
import { addSection, addSiteSpace, structureOf } from './change-structure.rules.ts'
import { addressOfSection, addressOfSiteSpace } from './site-addresses.rules.ts'
import { shownStructure } from './shown-structure.rules.ts'
import { emptyStructure, orderedSiteSpaces, siteSpacesIn, type Structure } from './structure.rules.ts'

const siteId = 'site'
const two = structureOf(siteId, [
  { id: 'a', title: 'Latest' },
  { id: 'b', title: 'Version 1' },
])
const three = ['Guides', 'Api'].reduce<Structure>(
  (structure, title) =>
    addSection(structure, { siteId, title, icon: null, space: { id: title, title }, firstTitle: 'First' }).structure,
  emptyStructure,
)
const idOf = ({ sections }: Structure, title: string) => sections.find(row => row.title === title)?.id ?? 'nothing'

describe('addresses', () => {
  const site = 'https://acme.docs.test/'
  const structure = addSiteSpace(three, { siteId, space: { id: 'x', title: 'Api' } }).structure
  const byPath = (structure: Structure, section: string, path: string) => {
    const row = siteSpacesIn(structure, idOf(structure, section)).find(row => row.path === path)
    return row && addressOfSiteSpace(shownStructure(structure), row, site)
  }

  it.each<[string, string | undefined, string]>([
    ['the default section is at the root', addressOfSection(shownStructure(three), idOf(three, 'Guides'), site), site],
    ['another section has its path', addressOfSection(shownStructure(three), idOf(three, 'Api'), site), `${site}api/`],
    ['its default space too', byPath(three, 'Api', 'api'), `${site}api/`],
    [
      'a variant of a site without sections',
      addressOfSiteSpace(shownStructure(two), orderedSiteSpaces(two)[1] as never, site),
      `${site}version-1/`,
    ],
    [
      'a space hidden by a section has the path of its own section',
      byPath(structure, 'Guides', 'api'),
      `${site}guides/api/`,
    ],
  ])('%s', (_case, address, expected) => {
    expect(address).toBe(expected)
  })
})
