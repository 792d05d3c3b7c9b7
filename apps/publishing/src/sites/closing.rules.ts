import type { SiteRow } from './site.entity.ts'
import type { Structure } from './structure/structure.rules.ts'

/** A site with what it shows. */
export interface WholeSite {
  site: SiteRow
  structure: Structure
}

/**
 * Whether a change may close something to a visitor who holds a token: then their token must not be valid any more. A change that
 * only opens or moves something lets tokens live. Visibility and adaptive content decide who gets a token at all, so any change of them closes.
 */
export function closesSomething(before: WholeSite, after: WholeSite): boolean {
  if (!before.site.published) return false
  if (!after.site.published) return true
  if (before.site.visibility !== after.site.visibility) return true
  if (before.site.adaptiveContent !== after.site.adaptiveContent) return true
  return !includesAll(openingsOf(after.structure), openingsOf(before.structure))
}

/** The spaces that a structure shows, each with the conditions on it. */
function openingsOf({ sections, siteSpaces }: Structure): Set<string> {
  const conditions = new Map(sections.map(({ id, condition }) => [id, condition]))
  return new Set(
    siteSpaces
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ spaceId, sectionId, condition }) =>
        JSON.stringify([spaceId, condition, sectionId === null ? null : (conditions.get(sectionId) ?? null)]),
      ),
  )
}

function includesAll(all: Set<string>, some: Set<string>): boolean {
  return [...some].every(one => all.has(one))
}
