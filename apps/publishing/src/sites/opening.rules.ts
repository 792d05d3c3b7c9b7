import { siteVisibilities } from '@recto/contracts-shared'
import { liveStructure } from '../structure/shown-structure.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'
import type { WholeSite } from './closing.rules.ts'
import type { SiteRow } from './site.entity.ts'

/**
 * The spaces of a site that a change shows to more people than before, by their ids. Those that it adds are not among them: whoever adds a
 * space must be able to publish it.
 */
export function spacesOpened(before: WholeSite, after: WholeSite): string[] {
  if (!after.site.published) return []
  const isWider = !before.site.published || opensAudience(before.site, after.site)
  const openingsBefore = isWider ? [] : openingsOf(before.structure)
  const onSite = new Set(before.structure.siteSpaces.map(({ spaceId }) => spaceId))
  const openings = openingsOf(after.structure).filter(
    opening => onSite.has(opening.space) && !openingsBefore.some(earlier => includes(earlier, opening)),
  )
  return [...new Set(openings.map(({ space }) => space))]
}

/** Whether a published site may be opened to somebody. Without adaptive content, conditions let everybody through. */
function opensAudience(before: SiteRow, after: SiteRow): boolean {
  if (siteVisibilities.indexOf(after.visibility) > siteVisibilities.indexOf(before.visibility)) return true
  if (after.visibility === 'visitor-auth' && before.defaultLevel === null && after.defaultLevel !== null) return true
  if (isForSome(after) && (isAtAnother('hostname', before, after) || isAtAnother('proxy', before, after))) return true
  return before.adaptiveContent !== after.adaptiveContent
}

/** Whether visitors bring something to be let in: whoever holds the host that they come to gets it. */
function isForSome({ visibility }: SiteRow): boolean {
  return visibility === 'visitor-auth' || visibility === 'share-link'
}

function isAtAnother(field: 'hostname' | 'proxy', before: SiteRow, after: SiteRow): boolean {
  return after[field] !== null && after[field] !== before[field]
}

/** A space that visitors see, with the conditions on it. */
interface Opening {
  space: string
  conditions: readonly (string | null)[]
}

function openingsOf(structure: Structure): Opening[] {
  const { sections, siteSpaces } = liveStructure(structure)
  const conditions = new Map(sections.map(({ id, condition }) => [id, condition]))
  return siteSpaces.map(({ spaceId: space, sectionId, condition }) => {
    const ofSection = sectionId === null ? null : (conditions.get(sectionId) ?? null)
    return { space, conditions: [condition, ofSection] }
  })
}

/** Whether everybody to whom a space is open by the one sees it by the other, too. */
function includes(wider: Opening, opening: Opening): boolean {
  const isMet = (condition: string | null) => condition === null || opening.conditions.includes(condition)
  return wider.space === opening.space && wider.conditions.every(isMet)
}
