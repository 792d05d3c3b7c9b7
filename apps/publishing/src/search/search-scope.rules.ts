import { fieldFault } from '@recto/operation'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import { orderedSiteSpaces } from '../structure/structure.rules.ts'
import type { SiteSpaceRow } from '../structure/site-space.entity.ts'

/** The filter of a search: a scope, or in the older form a mode with ids. */
export interface SearchBody {
  scope?:
    | {
        mode: 'default'
        currentSiteSpace?: string | undefined
        restrictTo?: 'currentSiteSpace' | 'otherSiteSpaces' | undefined
        includedSiteSpaces?: string[] | undefined
      }
    | { mode: 'specific'; siteSpaceIds: string[] }
    | { mode: 'all' }
    | undefined
  mode?: 'all' | 'current' | 'specific' | undefined
  siteSpaceId?: string | undefined
  siteSpaceIds?: string[] | undefined
}

/**
 * The spaces that a search is about, each once. `structure` is what the caller sees. A reader may have an older structure, so named
 * site spaces that are not seen are left out; throws `not_found`, naming the field, when none of them is.
 */
export function searchedSpaces(structure: ShownStructure, body: SearchBody): string[] {
  return [...new Set(siteSpacesOf(structure, body).map(({ spaceId }) => spaceId))]
}

function siteSpacesOf(
  structure: ShownStructure,
  { scope, mode, siteSpaceId, siteSpaceIds }: SearchBody,
): SiteSpaceRow[] {
  const all = orderedSiteSpaces(structure)
  const requireSiteSpaces = (field: string, ids: readonly string[]): SiteSpaceRow[] => {
    const seen = all.filter(({ id }) => ids.includes(id))
    if (ids.length > 0 && seen.length === 0) throw fieldFault(`body.${field}`, 'is no space of the site', 'not_found')
    return seen
  }
  if (scope?.mode === 'specific') return requireSiteSpaces('scope.siteSpaceIds', scope.siteSpaceIds)
  if (scope?.mode === 'default') {
    const { currentSiteSpace: current, includedSiteSpaces: included = [], restrictTo } = scope
    const chosen = current === undefined ? [] : requireSiteSpaces('scope.currentSiteSpace', [current])
    const includedRows = requireSiteSpaces('scope.includedSiteSpaces', included)
    const sectionDefaults = defaults(structure, chosen[0])
    if (restrictTo === 'currentSiteSpace') return chosen
    if (restrictTo === 'otherSiteSpaces')
      return [...sectionDefaults, ...includedRows].filter(({ id }) => id !== current)
    return [...sectionDefaults, ...chosen, ...includedRows]
  }
  if (scope?.mode === 'all' || mode === 'all') return all
  return mode === 'current'
    ? requireSiteSpaces('siteSpaceId', [siteSpaceId ?? ''])
    : requireSiteSpaces('siteSpaceIds', siteSpaceIds ?? [])
}

/** The default space of each section, else the first one that is seen of it; the section of the current space has that one instead. */
function defaults(structure: ShownStructure, current: SiteSpaceRow | undefined): SiteSpaceRow[] {
  const bySection = new Map<string | null, SiteSpaceRow>()
  for (const row of orderedSiteSpaces(structure)) {
    const isChosen = row.isDefault || !bySection.has(row.sectionId)
    if (isChosen && row.sectionId !== current?.sectionId) bySection.set(row.sectionId, row)
  }
  return [...bySection.values()]
}
