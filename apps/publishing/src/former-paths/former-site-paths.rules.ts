import { partsOfSection, partsOfSiteSpace } from '../structure/site-addresses.rules.ts'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import type { FormerSitePathRow } from './former-site-path.entity.ts'

/** A path that a section or space of a site had before. */
export type FormerSitePath = Pick<FormerSitePathRow, 'path' | 'kind' | 'targetId'>

/**
 * The paths below a site that its sections and spaces had, and have no more; that of what was at the root is empty. What is gone leaves
 * none, and a section leaves the path that it shares with its default space.
 */
export function droppedSitePaths(before: ShownStructure, after: ShownStructure): FormerSitePath[] {
  const sections = before.sections.flatMap(({ id }) => {
    const isThere = after.sections.some(section => section.id === id)
    return isThere ? dropped('site-section', id, [partsOfSection(before, id), partsOfSection(after, id)]) : []
  })
  const siteSpaces = before.siteSpaces.flatMap(row => {
    const now = after.siteSpaces.find(({ id }) => id === row.id)
    return now ? dropped('site-space', row.id, [partsOfSiteSpace(before, row), partsOfSiteSpace(after, now)]) : []
  })
  const ofSections = new Set(sections.map(({ path }) => path))
  return [...sections, ...siteSpaces.filter(({ path }) => !ofSections.has(path))]
}

function dropped(kind: FormerSitePath['kind'], targetId: string, [from = [], to = []]: string[][]): FormerSitePath[] {
  const path = from.join('/')
  return path === to.join('/') ? [] : [{ path, kind, targetId }]
}
