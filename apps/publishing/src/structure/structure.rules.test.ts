import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import {
  addSection,
  addSiteSpace,
  removeSection,
  removeSiteSpaces,
  structureOf,
  updateSection,
  updateSiteSpace,
} from './change-structure.rules.ts'
import { addGroup, addToGroup, removeFromGroup, removeGroup } from './groups.rules.ts'
import { sortStructure, type Pointer } from './sort.rules.ts'
import {
  emptyStructure,
  itemsIn,
  makeDefaultSection,
  makeDefaultSiteSpace,
  orderedSections,
  orderedSiteSpaces,
  requireSiteSpace,
  siteSpacesIn,
  type Structure,
} from './structure.rules.ts'

const siteId = 'site'
const section = (title: string, of: Structure, firstTitle = 'First'): Structure =>
  addSection(of, { siteId, title, icon: null, space: { id: `space-${title}`, title }, firstTitle }).structure

/** The tree of titles: groups in brackets, defaults with a star, paths of spaces in braces. */
function drawn(structure: Structure, groupId: string | null = null): string {
  const spaces = (id: string | null) =>
    siteSpacesIn(structure, id)
      .map(({ path, isDefault }) => `${path}${isDefault ? '*' : ''}`)
      .join(',')
  if (structure.sections.length === 0 && groupId === null && structure.groups.length === 0) return spaces(null)
  return itemsIn(structure, groupId)
    .map(item =>
      item.type === 'site-section'
        ? `${item.row.title}${item.row.isDefault ? '*' : ''}{${spaces(item.row.id)}}`
        : `${item.row.title}[${drawn(structure, item.row.id)}]`,
    )
    .join(' ')
}
const idOf = (structure: Structure, title: string) =>
  [...structure.sections, ...structure.groups].find(row => row.title === title)?.id ?? 'nothing'
const spaceIdOf = ({ siteSpaces }: Structure, path: string) =>
  siteSpaces.find(row => row.path === path)?.id ?? 'nothing'
const pointer = (structure: Structure, title: string): Pointer =>
  structure.groups.some(row => row.title === title)
    ? { type: 'site-section-group', id: idOf(structure, title) }
    : { type: 'site-section', id: idOf(structure, title) }
const spacePointer = (structure: Structure, path: string): Pointer => ({
  type: 'site-space',
  id: spaceIdOf(structure, path),
})

const two = structureOf(siteId, [
  { id: 'a', title: 'Latest' },
  { id: 'b', title: 'Version 1' },
])
const three = section('Cli', section('Api', section('Guides', emptyStructure)))
const grouped = addGroup(three, {
  siteId,
  title: 'Group',
  icon: null,
  parent: null,
  sections: [idOf(three, 'Api')],
}).structure

describe('spaces and sections', () => {
  it.each<[string, Structure, string]>([
    ['a new site shows its spaces, the first at its root', two, 'latest*,version-1'],
    [
      'a space twice gets another path',
      addSiteSpace(two, { siteId, space: { id: 'a', title: 'Latest' } }).structure,
      'latest*,version-1,latest-1',
    ],
    ['the first section of an empty site is the default one', section('Guides', emptyStructure), 'Guides*{guides*}'],
    [
      'the spaces of a site without sections become its first section',
      section('Api', two),
      'First*{latest*,version-1} Api{api*}',
    ],
    [
      'a space without a section goes into the default one',
      addSiteSpace(three, { siteId, space: { id: 'x', title: 'More' } }).structure,
      'Guides*{guides*,more} Api{api*} Cli{cli*}',
    ],
    [
      'a space goes into the section that is named',
      addSiteSpace(three, { siteId, space: { id: 'x', title: 'More' }, section: idOf(three, 'Api') }).structure,
      'Guides*{guides*} Api{api*,more} Cli{cli*}',
    ],
    [
      'the next section becomes the default one when that is removed',
      removeSection(three, idOf(three, 'Guides')),
      'Api*{api*} Cli{cli*}',
    ],
    [
      'the next space becomes the default one when that is removed',
      removeSiteSpaces(two, [spaceIdOf(two, 'latest')]),
      'version-1*',
    ],
    [
      'a section without spaces goes with the last of them',
      removeSiteSpaces(three, [spaceIdOf(three, 'api')]),
      'Guides*{guides*} Cli{cli*}',
    ],
    [
      'another section becomes the default one',
      makeDefaultSection(three, idOf(three, 'Cli')),
      'Guides{guides*} Api{api*} Cli*{cli*}',
    ],
    [
      'another space becomes the default one',
      makeDefaultSiteSpace(two, requireSiteSpace(two, spaceIdOf(two, 'version-1'))),
      'latest,version-1*',
    ],
    [
      'nothing is left of a site without spaces',
      removeSiteSpaces(
        two,
        two.siteSpaces.map(({ id }) => id),
      ),
      '',
    ],
  ])('%s', (_case, structure, expected) => {
    expect(drawn(structure)).toBe(expected)
  })

  it('refuses more spaces than a site shows', () => {
    const full = structureOf(
      siteId,
      Array.from({ length: 250 }, (_, at) => ({ id: `s${at}`, title: `Space ${at}` })),
    )
    expect(() => addSiteSpace(full, { siteId, space: { id: 'more', title: 'More' } })).toThrow('at most 250 spaces')
  })

  it('refuses paths that are taken or reserved, and default spaces of other sections', () => {
    expect(() => updateSection(three, idOf(three, 'Api'), { path: 'guides' })).toThrow('body.path: is taken')
    expect(() => updateSiteSpace(two, spaceIdOf(two, 'version-1'), { path: 'latest' })).toThrow('body.path: is taken')
    expect(() => updateSiteSpace(two, spaceIdOf(two, 'version-1'), { path: 'v' })).toThrow('body.path: must not be v')
    expect(() => updateSection(three, idOf(three, 'Api'), { defaultSiteSpace: spaceIdOf(three, 'guides') })).toThrow(
      'body.defaultSiteSpace',
    )
    expect(drawn(updateSection(three, idOf(three, 'Api'), { path: 'api' }))).toBe(drawn(three))
  })
})

describe('groups', () => {
  const api = idOf(grouped, 'Api')
  const group = idOf(grouped, 'Group')
  const nested = addGroup(grouped, { siteId, title: 'Inner', icon: null, parent: group, sections: [] }).structure

  it.each<[string, Structure, string]>([
    ['take sections', grouped, 'Guides*{guides*} Cli{cli*} Group[Api{api*}]'],
    ['nest', nested, 'Guides*{guides*} Cli{cli*} Group[Api{api*} Inner[]]'],
    [
      'take one more section at their end',
      addToGroup(grouped, idOf(grouped, 'Guides'), group),
      'Cli{cli*} Group[Api{api*} Guides*{guides*}]',
    ],
    ['keep a section that they have', addToGroup(grouped, api, group), 'Guides*{guides*} Cli{cli*} Group[Api{api*}]'],
    [
      'let a section go to the place behind them',
      removeFromGroup(section('Sdk', grouped), api, group),
      'Guides*{guides*} Cli{cli*} Group[] Api{api*} Sdk{sdk*}',
    ],
    ['let nothing go that they do not have', removeFromGroup(grouped, idOf(grouped, 'Cli'), group), drawn(grouped)],
    ['are removed already', removeGroup(removeFromGroup(grouped, api, 'nothing'), 'nothing'), drawn(grouped)],
    [
      'leave what is in them at their place',
      removeGroup(section('Sdk', nested), group),
      'Guides*{guides*} Cli{cli*} Api{api*} Inner[] Sdk{sdk*}',
    ],
  ])('%s', (_case, structure, expected) => {
    expect(drawn(structure)).toBe(expected)
  })

  it('that do not exist are refused', () => {
    expect(() => addToGroup(grouped, api, 'nothing')).toThrow('no such section group')
    expect(() => addToGroup(grouped, 'nothing', group)).toThrow('no such section')
    expect(() => addGroup(grouped, { siteId, title: 'X', icon: null, parent: 'nothing', sections: [] })).toThrow()
  })
})

describe('moves', () => {
  const at = (title: string) => pointer(grouped, title)
  const same = updateSiteSpace(
    addSiteSpace(three, { siteId, space: { id: 'same', title: 'Same' }, section: idOf(three, 'Api') }).structure,
    spaceIdOf(three, 'cli'),
    { path: 'same' },
  )

  it.each<[string, Structure, string]>([
    [
      'before another',
      sortStructure(grouped, at('Cli'), { before: at('Guides') }),
      'Cli{cli*} Guides*{guides*} Group[Api{api*}]',
    ],
    [
      'after another',
      sortStructure(grouped, at('Guides'), { after: at('Cli') }),
      'Cli{cli*} Guides*{guides*} Group[Api{api*}]',
    ],
    [
      'between two',
      sortStructure(grouped, at('Group'), { after: at('Guides'), before: at('Cli') }),
      'Guides*{guides*} Group[Api{api*}] Cli{cli*}',
    ],
    ['to the end', sortStructure(grouped, at('Guides'), {}), 'Cli{cli*} Group[Api{api*}] Guides*{guides*}'],
    [
      'into a group',
      sortStructure(grouped, at('Cli'), { after: at('Api') }),
      'Guides*{guides*} Group[Api{api*} Cli{cli*}]',
    ],
    [
      'out of a group',
      sortStructure(grouped, at('Api'), { before: at('Cli') }),
      'Guides*{guides*} Api{api*} Cli{cli*} Group[]',
    ],
    ['to where it is', sortStructure(grouped, at('Guides'), { before: at('Cli') }), drawn(grouped)],
    [
      'of a space into another section, where the last one leaves a section empty but for its title',
      sortStructure(three, spacePointer(three, 'cli'), { before: spacePointer(three, 'api') }),
      'Guides*{guides*} Api{cli,api*} Cli{}',
    ],
    [
      'of a space into a section where its path is taken',
      sortStructure(same, { type: 'site-space', id: spaceIdOf(three, 'cli') }, { before: spacePointer(same, 'api') }),
      'Guides*{guides*} Api{same-1,api*,same} Cli{}',
    ],
  ])('%s', (_case, structure, expected) => {
    expect(drawn(structure)).toBe(expected)
  })

  it('are refused with anchors of another kind, missing ones, and those that are no neighbours', () => {
    const nested = addGroup(grouped, {
      siteId,
      title: 'Inner',
      icon: null,
      parent: idOf(grouped, 'Group'),
      sections: [],
    })
    const inner: Pointer = { type: 'site-section-group', id: nested.id }
    const refused: [string, () => unknown][] = [
      ['of the same kind', () => sortStructure(grouped, at('Cli'), { before: spacePointer(grouped, 'api') })],
      ['no such section', () => sortStructure(grouped, at('Cli'), { before: { type: 'site-section', id: 'x' } })],
      ['must directly follow', () => sortStructure(grouped, at('Cli'), { after: at('Api'), before: at('Guides') })],
      ['must directly follow', () => sortStructure(grouped, at('Group'), { before: at('Guides'), after: at('Cli') })],
      ['must not be what moves', () => sortStructure(grouped, at('Cli'), { before: at('Cli') })],
      ['inside the group', () => sortStructure(nested.structure, at('Group'), { before: inner })],
      ['no such space', () => sortStructure(grouped, { type: 'site-space', id: 'x' }, {})],
    ]
    for (const [message, move] of refused) expect(move).toThrow(message)
  })
})

it('has exactly one default wherever there is any, and keeps paths unique, after any changes', () => {
  const step = fc.record({ kind: fc.nat(8), on: fc.nat(20), with: fc.nat(20) })
  const steps = fc.array(step, { maxLength: 30, size: 'max' })
  const pick = <Item>(items: Item[], at: number): Item | undefined => items[at % Math.max(items.length, 1)]
  const apply = (structure: Structure, step: { kind: number; on: number; with: number }): Structure => {
    const row = pick(structure.sections, step.on)
    const other = pick(structure.sections, step.with)
    const group = pick(structure.groups, step.with)
    const siteSpace = pick(structure.siteSpaces, step.on)
    const beside = pick(structure.siteSpaces, step.with)
    if (step.kind === 0) return section(`S${step.on % 3}`, structure)
    if (step.kind === 1) return addSiteSpace(structure, { siteId, space: { id: 'x', title: 'Space' } }).structure
    if (step.kind === 2 && row) return removeSection(structure, row.id)
    if (step.kind === 3 && siteSpace) return removeSiteSpaces(structure, [siteSpace.id])
    if (step.kind === 4 && row && other && row !== other) {
      const sectionOf = ({ id }: { id: string }) => ({ type: 'site-section' as const, id })
      return sortStructure(structure, sectionOf(row), { after: sectionOf(other) })
    }
    if (step.kind === 5)
      return addGroup(structure, {
        siteId,
        title: 'G',
        icon: null,
        parent: group?.id ?? null,
        sections: row ? [row.id] : [],
      }).structure
    if (step.kind === 6 && group) return removeGroup(structure, group.id)
    if (step.kind === 7 && siteSpace) return makeDefaultSiteSpace(structure, siteSpace)
    if (step.kind === 8 && siteSpace && beside && beside !== siteSpace) {
      const siteSpaceOf = ({ id }: { id: string }) => ({ type: 'site-space' as const, id })
      return sortStructure(structure, siteSpaceOf(siteSpace), { before: siteSpaceOf(beside) })
    }
    return structure
  }
  fc.assert(
    fc.property(steps, all => {
      const structure = all.reduce(apply, emptyStructure)
      const places = [null, ...structure.sections.map(({ id }) => id)]
      const defaults = (rows: { isDefault: boolean }[]) => rows.filter(({ isDefault }) => isDefault).length
      expect(defaults(structure.sections)).toBe(Math.min(structure.sections.length, 1))
      for (const place of places) {
        const rows = siteSpacesIn(structure, place)
        expect(defaults(rows)).toBe(Math.min(rows.length, 1))
        expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length)
      }
      expect(orderedSections(structure)).toHaveLength(structure.sections.length)
      expect(orderedSiteSpaces(structure)).toHaveLength(structure.siteSpaces.length)
    }),
  )
})
