import { encodePath, sectionsOf } from '../addresses/site-links.rules.ts'
import type { SiteSpace } from '../api/types.ts'
import type { OpenedSite } from '../loaders/open-site.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'

/** The spaces that a visitor chooses among: those of the section, or of a site without sections, that are not hidden. */
export function variantsOf({ published, siteSpace }: Pick<OpenedSite, 'published' | 'siteSpace'>): SiteSpace[] {
  const { structure } = published
  const section = sectionsOf(published).find(({ siteSpaces }) => siteSpaces.some(({ id }) => id === siteSpace.id))
  const siteSpaces = structure.type === 'siteSpaces' ? structure.structure : section?.siteSpaces
  return siteSpaces?.filter(({ id, hidden }) => !hidden || id === siteSpace.id) ?? []
}

/** The default variant, where another one in the same language is read: a version, not a translation. */
export function outdatedBy(site: Pick<OpenedSite, 'published' | 'siteSpace'>): SiteSpace | undefined {
  const preferred = variantsOf(site).find(variant => variant.default)
  if (!preferred || preferred.id === site.siteSpace.id) return undefined
  return preferred.space.language === site.siteSpace.space.language ? preferred : undefined
}

/** Path in a space below which an id and a path lead to a page, and to the start of the space if neither is there. */
export const samePagePath = '~recto/same-page'

/** The address of a page in another variant; whether that variant has the page is found out when the link is followed. */
export function samePageHref(
  variant: SiteSpace,
  { site, current }: { site: Pick<OpenedSite, 'links' | 'siteSpace' | 'tree'>; current: TreePage | undefined },
): string {
  const { links, siteSpace, tree } = site
  if (!current) return links.ofSiteSpace(variant)
  const { id, path } = current.page
  if (variant.id === siteSpace.id) return links.ofPage(path)
  if (id === tree.home?.page.id) return links.ofSiteSpace(variant)
  return `${links.below(variant)}${samePagePath}/${encodeURIComponent(id)}/${encodePath(path)}`
}
