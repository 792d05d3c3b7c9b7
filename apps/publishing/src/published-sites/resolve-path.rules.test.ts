import { describe, expect, it } from '@jest/globals'
import {
  addSection,
  addSiteSpace,
  structureOf,
  updateSection,
  updateSiteSpace,
} from '../structure/change-structure.rules.ts'
import { shownStructure, type ShownStructure } from '../structure/shown-structure.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'
import { resolvePath, shownTo } from './resolve-path.rules.ts'

const siteId = 'site'
const aSpace = (title: string) => ({ id: title.toLowerCase(), title })
const one = structureOf(siteId, [aSpace('Manual')])
const variants = structureOf(siteId, [aSpace('Latest'), aSpace('Old')])
const section = (of: Structure, title: string) =>
  addSection(of, { siteId, title, icon: null, space: aSpace(`${title} space`), firstTitle: 'Home' })
const api = section(one, 'Api')
const apiVariants = addSiteSpace(api.structure, { siteId, space: aSpace('Beta'), section: api.id }).structure

/** The target of a path: `section/space`, the part of it that is used, and whether that is all. */
function lead(structure: ShownStructure, path: string): string | undefined {
  const parts = path.split('/').filter(Boolean)
  const resolved = resolvePath(structure, parts)
  if (!resolved) return undefined
  const rest = parts.slice(resolved.used).join('/')
  return `${resolved.section?.path ?? ''}>${resolved.siteSpace.path} | ${rest} | ${resolved.isComplete ? 'complete' : 'open'}`
}

describe('a path leads to', () => {
  it.each<[string, Structure, string, string | undefined]>([
    ['the only space', one, '', '>manual |  | complete'],
    ['a page of it', one, 'a/b', '>manual | a/b | complete'],
    ['a page with the path of the only space', one, 'manual', '>manual | manual | complete'],
    ['the default space, while a variant may follow', variants, '', '>latest |  | open'],
    ['a variant', variants, 'old', '>old |  | complete'],
    ['a variant, whatever the case', variants, 'OLD/a', '>old | a | complete'],
    ['a variant behind v', variants, 'v/old/a', '>old | a | complete'],
    ['the default one by its own path', variants, 'latest/a', '>latest | a | complete'],
    ['a page of the default one', variants, 'a', '>latest | a | complete'],
    ['the default section, while a section may follow', api.structure, '', 'home>manual |  | open'],
    ['a section', api.structure, 'api', 'api>api-space |  | complete'],
    ['a page of a section', api.structure, 'api/x', 'api>api-space | x | complete'],
    ['a page of the default section', api.structure, 'x/api', 'home>manual | x/api | complete'],
    ['a section, while a variant may follow', apiVariants, 'api', 'api>api-space |  | open'],
    ['a variant of a section', apiVariants, 'api/beta/x', 'api>beta | x | complete'],
    ['a preview, while its id is missing', one, '~/changes', '>manual | ~/changes | open'],
    ['a preview with its id', one, '~/changes/abc', '>manual |  | complete'],
    ['nothing on an empty site', structureOf(siteId, []), 'a', undefined],
  ])('%s', (_case, structure, path, expected) => {
    expect(lead(shownStructure(structure), path)).toBe(expected)
  })

  it.each([
    ['~/changes/abc/page', { changeRequest: 'abc' }],
    ['~/revisions/r1', { revision: 'r1' }],
    ['~/pull-requests/k1', { pullRequest: 'k1' }],
    ['~/pull-requests/../x', {}],
    ['~/other/r1', {}],
    ['~/changes/a\0b', {}],
    ['~/revisions/../x', {}],
    [`~/revisions/${'x'.repeat(101)}`, {}],
    ['~/changes', {}],
  ])('the preview %s', (path, preview) => {
    const resolved = resolvePath(shownStructure(variants), ['old', ...path.split('/')])
    expect(resolved).toMatchObject({ siteSpace: { path: 'old' }, preview })
  })
})

describe('a visitor sees', () => {
  const hidden = updateSiteSpace(variants, variants.siteSpaces[0]?.id ?? '', { condition: 'visitor.claims.beta' })
  const closed = updateSection(apiVariants, api.id, { condition: 'visitor.claims.beta' })
  const broken = updateSection(apiVariants, api.id, { condition: 'visitor.claims.a.b.c' })
  const deleted = { ...one, siteSpaces: one.siteSpaces.map(row => ({ ...row, isDeleted: true })) }
  it.each<[string, Structure, object, string | undefined]>([
    ['the next space where the default one is hidden', hidden, {}, '>old |  | open'],
    ['the default one where its condition holds', hidden, { beta: true }, '>latest |  | open'],
    ['no section whose condition does not hold', closed, {}, 'home>manual | api | complete'],
    ['it where it holds', closed, { beta: true }, 'api>api-space |  | open'],
    ['nothing where a condition cannot be evaluated', broken, {}, 'home>manual | api | complete'],
    ['no deleted space', deleted, {}, undefined],
  ])('%s', (_case, structure, claims, expected) => {
    const path = structure.sections.length > 0 ? 'api' : ''
    expect(lead(shownTo(shownStructure(structure), { ...claims }), path)).toBe(expected)
  })

  it.each([
    ['old', '>old |  | complete'],
    ['old/a', '>old | a | complete'],
    ['v/old/a', '>old | a | complete'],
    ['a', '>old | a | complete'],
    ['old/old', '>old | old | complete'],
  ])('an only space that is not the default one at its own path: %s', (path, expected) => {
    expect(lead(shownTo(shownStructure(hidden), {}), path)).toBe(expected)
  })
})
