import { describedSpace } from '@recto/testing'
import fc from 'fast-check'
import { expect, it } from '@jest/globals'
import {
  addSection,
  addSiteSpace,
  removeSiteSpaces,
  setDeleted,
  structureOf,
  updateSection,
  updateSiteSpace,
} from '../structure/change-structure.rules.ts'
import { addGroup } from '../structure/groups.rules.ts'
import { presentStructure } from '../structure/present-structure.ts'
import { sortStructure } from '../structure/sort.rules.ts'
import { makeDefaultSection, makeDefaultSiteSpace, type Structure } from '../structure/structure.rules.ts'
import { shownStructure, type ShownStructure } from '../structure/shown-structure.rules.ts'
import { resolvePath, shownTo, withSpaces } from './resolve-path.rules.ts'
import { readUrl } from '../addresses/site-address.rules.ts'

const siteId = 'site'
const address = 'https://acme.docs.test/'
/** Few names, so that sections and spaces often have the same path. */
const title = fc.constantFrom('Home', 'Api', 'Old', 'V', '日本')
const path = fc.constantFrom('home', 'api', 'old', 'x.y', '日本', 'v')
const condition = fc.constantFrom(null, 'visitor.claims.a', 'visitor.claims.b', '!visitor.claims.a')
const number = fc.nat({ max: 20 })

type Change = (structure: Structure, count: number) => Structure
const pick = <Row>(rows: readonly Row[], at: number): Row | undefined => rows[at % Math.max(1, rows.length)]

const change: fc.Arbitrary<Change> = fc.oneof(
  title.map<Change>(name => (structure, count) => {
    const space = { id: `space ${count}`, title: name }
    return addSection(structure, { siteId, title: name, icon: null, space, firstTitle: 'Home' }).structure
  }),
  fc.tuple(title, number).map<Change>(([name, at]) => (structure, count) => {
    const section = pick(structure.sections, at)?.id
    return addSiteSpace(structure, { siteId, space: { id: `space ${count}`, title: name }, section }).structure
  }),
  fc.tuple(number, fc.record({ path, condition }, { requiredKeys: [] })).map<Change>(([at, fields]) => structure => {
    const row = pick(structure.siteSpaces, at)
    return row ? updateSiteSpace(structure, row.id, fields) : structure
  }),
  fc.tuple(number, fc.record({ path, condition }, { requiredKeys: [] })).map<Change>(([at, fields]) => structure => {
    const row = pick(structure.sections, at)
    return row ? updateSection(structure, row.id, fields) : structure
  }),
  fc.tuple(number, fc.boolean()).map<Change>(([at, isDeleted]) => (structure, count) => {
    const space = pick(structure.siteSpaces, at)?.spaceId ?? ''
    return setDeleted(structure, [space], { isDeleted, at: new Date(count) })
  }),
  number.map<Change>(at => structure => {
    const row = pick(structure.siteSpaces, at)
    return row ? makeDefaultSiteSpace(structure, row) : structure
  }),
  number.map<Change>(at => structure => {
    const row = pick(structure.sections, at)
    return row ? makeDefaultSection(structure, row.id) : structure
  }),
  number.map<Change>(at => structure => removeSiteSpaces(structure, [pick(structure.siteSpaces, at)?.id ?? ''])),
  fc.tuple(number, number).map<Change>(([at, to]) => structure => {
    const item = pick(structure.siteSpaces, at)
    const after = pick(structure.siteSpaces, to)
    const pointer = (id = '') => ({ type: 'site-space' as const, id })
    return sortStructure(structure, pointer(item?.id), { after: pointer(after?.id) })
  }),
  number.map<Change>(at => structure => {
    const sections = [pick(structure.sections, at)?.id ?? '']
    return addGroup(structure, { siteId, title: 'Group', icon: null, parent: null, sections }).structure
  }),
)

/** A structure after changes; those that the rules refuse change nothing. */
function after(changes: readonly Change[]): Structure {
  const start = structureOf(siteId, [
    { id: 'first', title: 'Home' },
    { id: 'second', title: 'Old' },
  ])
  return changes.reduce((structure, rule, count) => {
    try {
      return rule(structure, count + 1)
    } catch {
      return structure
    }
  }, start)
}

const claims = fc.record({ a: fc.boolean(), b: fc.boolean() })
const hidden = fc.uniqueArray(
  fc.integer({ min: 1, max: 12 }).map(id => `space ${id}`),
  { maxLength: 3 },
)
const structures = fc.array(change, { maxLength: 14 }).map(after)

type Published = ReturnType<typeof presentStructure>
interface Addressed {
  id: string
  url: string
}

function addressesIn(structure: Published): { sections: Addressed[]; siteSpaces: Addressed[] } {
  const sections = structure.type === 'sections' ? structure.structure.flatMap(sectionsIn) : []
  const siteSpaces =
    structure.type === 'sections' ? sections.flatMap(({ siteSpaces }) => siteSpaces) : structure.structure
  const addressed = (rows: { id: string; urls: { published?: string | undefined } }[]) =>
    rows.map(({ id, urls }) => ({ id, url: urls.published ?? '' }))
  return { sections: addressed(sections), siteSpaces: addressed(siteSpaces) }
}

type Entry = Extract<Published, { type: 'sections' }>['structure'][number]
function sectionsIn(entry: Entry): Extract<Entry, { object: 'site-section' }>[] {
  if (entry.object === 'site-section') return [entry]
  return entry.object === 'site-section-group' ? entry.children.flatMap(child => sectionsIn(child as Entry)) : []
}

/** The structure as the API gives it to whoever sees `structure`. */
function presented(structure: ShownStructure): Published {
  const described = structure.siteSpaces.map(({ spaceId: id }) => describedSpace({ id, title: id, organization: 'o' }))
  const spaces = new Map(described.map(space => [space.id, space]))
  return presentStructure({ structure, live: structure, spaces, address, isBehindLink: false, showsConditions: true })
}

/** The place at an address: the ids of its section and space, and the rest of the path. */
function at(url: string, structure: ShownStructure) {
  const parts = readUrl(url)?.parts ?? []
  const resolved = resolvePath(structure, parts)
  return { section: resolved?.section?.id, siteSpace: resolved?.siteSpace.id, rest: parts.slice(resolved?.used) }
}

it('every address of a visible section or space leads to it, for those who see it', () => {
  const property = fc.property(structures, claims, hidden, (structure, of, without) => {
    const visibleStructure = shownStructure(structure)
    const readable = { has: (space: string) => !without.includes(space) }
    const seen = withSpaces(shownTo(visibleStructure, of), readable)
    const { sections, siteSpaces } = addressesIn(presented(seen))
    for (const { id, url } of siteSpaces) expect(at(url, seen)).toMatchObject({ siteSpace: id, rest: [] })
    for (const { id, url } of sections) expect(at(url, seen)).toMatchObject({ section: id, rest: [] })
    // Members see the addresses of everything; a visitor may see less of the site.
    const ids = new Set([...seen.siteSpaces, ...seen.sections].map(({ id }) => id))
    const all = addressesIn(presented(visibleStructure))
    for (const { id, url } of all.siteSpaces.filter(({ id }) => ids.has(id)))
      expect(at(url, seen)).toMatchObject({ siteSpace: id, rest: [] })
    for (const { id, url } of all.sections.filter(({ id }) => ids.has(id)))
      expect(at(url, seen)).toMatchObject({ section: id, rest: [] })
  })
  fc.assert(property, { numRuns: 500 })
})

it('restoring what was deleted brings every address back to what it was', () => {
  const property = fc.property(structures, fc.array(number, { minLength: 1, maxLength: 4 }), (structure, places) => {
    const spaces = places.map(place => pick(structure.siteSpaces, place)?.spaceId ?? '')
    const existing = spaces.filter(id => structure.siteSpaces.some(row => row.spaceId === id && !row.isDeleted))
    const deleted = setDeleted(structure, existing, { isDeleted: true, at: new Date(100) })
    const restored = setDeleted(deleted, existing, { isDeleted: false, at: new Date(101) })
    expect(presented(shownStructure(restored))).toEqual(presented(shownStructure(structure)))
  })
  fc.assert(property, { numRuns: 300 })
})
