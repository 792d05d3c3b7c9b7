import { describe, expect, it } from '@jest/globals'
import { addSection } from './change-structure.rules.ts'
import { addExternalLink } from './external-links.rules.ts'
import { addGroup, moveIntoGroup, removeGroup } from './groups.rules.ts'
import { liveStructure } from './shown-structure.rules.ts'
import { changed, emptyStructure, itemsIn, type Item, type Structure } from './structure.rules.ts'

const siteId = 'site'
const section = (of: Structure, title: string, draft = false): Structure =>
  addSection(of, { siteId, title, icon: null, space: { id: title, title }, draft, firstTitle: 'First' }).structure
const group = (of: Structure, title: string, { parent, draft = false }: { parent?: string; draft?: boolean } = {}) =>
  addGroup(of, {
    siteId,
    title,
    icon: null,
    parent: parent === undefined ? null : item(of, parent).id,
    sections: [],
    draft,
  }).structure
const link = (of: Structure, title: string, parent?: string): Structure =>
  addExternalLink(of, {
    siteId,
    title,
    url: 'https://a.test',
    draft: title === 'draft',
    parent: parent === undefined ? undefined : item(of, parent).id,
  }).structure

function item(structure: Structure, title: string): { type: Item['type']; id: string } {
  const all = [null, ...structure.groups.map(({ id }) => id)].flatMap(id => itemsIn(structure, id))
  const match = all.find(({ row }) => row.title === title)
  return { type: match?.type ?? 'site-section', id: match?.row.id ?? 'nothing' }
}

/** The titles of a structure, groups with what is in them. */
const drawn = (structure: Structure, groupId: string | null = null): string =>
  itemsIn(structure, groupId)
    .map(({ type, row }) => (type === 'site-section-group' ? `${row.title}[${drawn(structure, row.id)}]` : row.title))
    .join(' ')

const base = link(group(group(section(section(emptyStructure, 'a'), 'b'), 'G'), 'H', { parent: 'G' }), 'l', 'G')

describe('parts of a site', () => {
  it.each([
    ['a', 'G', 'b G[H[] l a]'],
    ['l', null, 'a b G[H[]] l'],
    ['l', 'H', 'a b G[H[l]]'],
    ['H', null, 'a b G[l] H[]'],
    ['b', null, 'a b G[H[] l]'],
  ])('move: %s to %s', (title, target, expected) => {
    const into = target === null ? null : item(base, target).id
    expect(drawn(moveIntoGroup(base, item(base, title), { group: into, field: 'body.parent' }))).toBe(expected)
  })

  it.each([
    ['G', 'H', 'invalid_request'],
    ['G', 'G', 'invalid_request'],
    ['a', 'nothing', 'not_found'],
    ['nothing', 'G', 'not_found'],
  ])('do not move: %s to %s', (title, target, code) => {
    const to = { group: item(base, target).id, field: 'body.parent' }
    const move = () => moveIntoGroup(base, item(base, title), to)
    if (title === 'G' && target === 'G') expect(move).toThrow()
    else expect(move).toThrow(expect.objectContaining({ code }))
  })

  it('take the place of their group', () => expect(drawn(removeGroup(base, item(base, 'G').id))).toBe('a b H[] l'))
})

describe('drafts', () => {
  const live = (structure: Structure) => drawn(liveStructure(structure))
  it.each<[string, Structure, string]>([
    ['nothing', base, 'a b G[H[] l]'],
    ['a section', section(base, 'c', true), 'a b G[H[] l]'],
    ['a link', link(base, 'draft', 'G'), 'a b G[H[] l]'],
    ['a group', { ...base, groups: changed(base.groups, item(base, 'G').id, { draft: true }) }, 'a b'],
    [
      'a group in a group',
      link({ ...base, groups: changed(base.groups, item(base, 'H').id, { draft: true }) }, 'k', 'H'),
      'a b G[l]',
    ],
  ])('hide what is in them: %s', (_what, structure, expected) => expect(live(structure)).toBe(expected))

  it('leave the default to the next in order', () => {
    const structure = { ...base, sections: changed(base.sections, item(base, 'a').id, { draft: true }) }
    const { sections, siteSpaces } = liveStructure(structure)
    expect(sections.map(({ title, isDefault }) => [title, isDefault])).toEqual([['b', true]])
    expect(siteSpaces.map(({ spaceId, isDefault }) => [spaceId, isDefault])).toEqual([['b', true]])
  })
})
