import type { PublishedSite, SiteSpace } from '../api/types.ts'
import { sectionsOf, siteSpacesOf } from '../addresses/site-links.rules.ts'

/**
 * The spaces that a search at a space of a site is about, each once: the space itself, and the default one of every other section, else
 * the first one of it.
 */
export function searchedSpaces(published: PublishedSite, currentSiteSpace: string | undefined): SiteSpace[] {
  const current = siteSpacesOf(published).find(({ id }) => id === currentSiteSpace)
  const { structure } = published
  const groups =
    structure.type === 'siteSpaces' ? [structure.structure] : sectionsOf(published).map(each => each.siteSpaces)
  const searched = groups.flatMap(siteSpaces => {
    if (current && siteSpaces.includes(current)) return [current]
    const standard = siteSpaces.find(siteSpace => siteSpace.default) ?? siteSpaces[0]
    return standard ? [standard] : []
  })
  return [...new Map(searched.map(siteSpace => [siteSpace.space.id, siteSpace])).values()]
}
