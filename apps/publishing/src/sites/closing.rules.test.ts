import { expect, it } from '@jest/globals'
import { closesSomething, type WholeSite } from './closing.rules.ts'
import { newSite } from './sites.rules.ts'
import {
  addSection,
  addSiteSpace,
  removeSection,
  structureOf,
  updateSection,
  updateSiteSpace,
} from '../structure/change-structure.rules.ts'
import type { SiteRow } from './site.entity.ts'
import type { Structure } from '../structure/structure.rules.ts'

const row: SiteRow = {
  ...newSite({
    organizationId: 'o',
    type: 'basic',
    title: 'Docs',
    basename: 'docs',
    visibility: 'public',
    createdBy: 'u',
  }),
  published: true,
}
const visibleStructure = structureOf(row.id, [
  { id: 'a', title: 'A' },
  { id: 'b', title: 'B' },
])
const whole = (changes: Partial<SiteRow> = {}, structure: Structure = visibleStructure): WholeSite => ({
  site: { ...row, ...changes },
  structure,
})
const draft = (changes: Partial<SiteRow> = {}, structure?: Structure) =>
  whole({ ...changes, published: false }, structure)
const first = visibleStructure.siteSpaces[0]?.id ?? ''
const sections = addSection(visibleStructure, {
  siteId: row.id,
  title: 'S',
  icon: null,
  space: { id: 'c', title: 'C' },
  firstTitle: 'F',
})
const of = (condition: string | null) => updateSection(sections.structure, sections.id, { condition })

it.each<[string, boolean, WholeSite, WholeSite]>([
  ['unpublishing', true, whole(), whole({ published: false })],
  ['publishing', false, whole({ published: false }), whole()],
  ['who could read what is not published', false, whole({ published: false }), draft({ visibility: 'visitor-auth' })],
  ['a space less of what is previewed', true, whole({ published: false }), draft({}, structureOf(row.id, []))],
  ['a space less with its publishing', true, whole({ published: false }), whole({}, structureOf(row.id, []))],
  ['another visibility', true, whole(), whole({ visibility: 'visitor-auth' })],
  ['a more open visibility', true, whole({ visibility: 'visitor-auth' }), whole()],
  [
    'no default level, where members log in',
    true,
    whole({ visibility: 'visitor-auth' }),
    whole({ visibility: 'visitor-auth', defaultLevel: null }),
  ],
  ['no default level, where nobody does', false, whole(), whole({ defaultLevel: null })],
  [
    'a default level',
    false,
    whole({ visibility: 'visitor-auth', defaultLevel: null }),
    whole({ visibility: 'visitor-auth' }),
  ],
  ['adaptive content', true, whole(), whole({ adaptiveContent: true })],
  ['the exclusion of agents', true, whole(), whole({ agentsContext: 'excluded' })],
  ['the return of agents', false, whole({ agentsContext: 'excluded' }), whole()],
  ['a title', false, whole(), whole({ title: 'Other' })],
  [
    'a space more',
    false,
    whole(),
    whole({}, addSiteSpace(visibleStructure, { siteId: row.id, space: { id: 'c', title: 'C' } }).structure),
  ],
  ['a space less', true, whole(), whole({}, structureOf(row.id, [{ id: 'a', title: 'A' }]))],
  ['another space instead', true, whole(), whole({}, updateSiteSpace(visibleStructure, first, { spaceId: 'x' }))],
  ['another path', false, whole(), whole({}, updateSiteSpace(visibleStructure, first, { path: 'x' }))],
  ['a condition', true, whole(), whole({}, updateSiteSpace(visibleStructure, first, { condition: 'false' }))],
  ['the first section', false, whole(), whole({}, sections.structure)],
  ['a section less', true, whole({}, sections.structure), whole({}, removeSection(sections.structure, sections.id))],
  ['a condition of a section', true, whole({}, sections.structure), whole({}, of('false'))],
  ['the end of a condition', true, whole({}, of('false')), whole({}, of(null))],
])('%s closes something: %s', (_case, expected, before, after) => {
  expect(closesSomething(before, after)).toBe(expected)
})
