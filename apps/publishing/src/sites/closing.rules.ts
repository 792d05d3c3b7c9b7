import type { SiteRow } from './site.entity.ts'
import { liveStructure } from '../structure/shown-structure.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'

/** A site with what it shows. */
export interface WholeSite {
  site: SiteRow
  structure: Structure
}

/**
 * Whether a change may close something to a visitor who holds a token: then neither their token nor the addresses of downloads that
 * they were given are valid any more. A change that only opens or moves something lets them live. What is not published is previewed,
 * so that closing a part of it closes, too.
 */
export function closesSomething(before: WholeSite, after: WholeSite): boolean {
  if (before.site.published && closesAudience(before.site, after.site)) return true
  return !includesAll(openingsOf(after.structure), openingsOf(before.structure))
}

/** Whether a published site may be closed to somebody: visibility and adaptive content decide who gets a token at all, and tokens what agents get. */
function closesAudience(before: SiteRow, after: SiteRow): boolean {
  if (!after.published) return true
  if (before.visibility === 'visitor-auth' && before.defaultLevel !== null && after.defaultLevel === null) return true
  if (before.agentsContext === 'included' && after.agentsContext === 'excluded') return true
  return before.visibility !== after.visibility || before.adaptiveContent !== after.adaptiveContent
}

/** The spaces that a structure shows, each with the conditions on it: to those who preview it, and to all others what is live. */
function openingsOf(structure: Structure): Set<string> {
  const { sections, siteSpaces } = structure
  const conditions = new Map(sections.map(({ id, condition }) => [id, condition]))
  const live = new Set(liveStructure(structure).siteSpaces.map(({ id }) => id))
  return new Set(
    siteSpaces
      .filter(({ isDeleted }) => !isDeleted)
      .flatMap(({ id, spaceId, sectionId, condition }) => {
        const opening = [spaceId, condition, sectionId === null ? null : (conditions.get(sectionId) ?? null)]
        return [JSON.stringify(opening), ...(live.has(id) ? [JSON.stringify([...opening, 'live'])] : [])]
      }),
  )
}

function includesAll(all: Set<string>, some: Set<string>): boolean {
  return [...some].every(one => all.has(one))
}
