import type { Customization, Page } from '../api/types.ts'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { fileHref } from '../loaders/targets.ts'
import type { OpenedSite } from '../loaders/open-site.ts'

type LinkPage = Pick<Extract<Page, { type: 'link' }>, 'target' | 'href'>
type LinkTarget = NonNullable<Customization['header']['links'][number]['to']>

/** The address of a link of the customization; undefined for one that leads nowhere, or is not shown to the visitor. */
export function customLink(to: LinkTarget | null, site: OpenedSite): { href: string; isExternal: boolean } | undefined {
  if (to?.kind === 'url') return { href: to.url, isExternal: /^https?:/i.test(to.url) }
  const href = to && hrefOf(to, site)
  return href ? { href, isExternal: false } : undefined
}

/** The address of a link in the page tree; undefined for what is not shown to the visitor. */
export function treeLink({ target, href }: LinkPage, site: OpenedSite): string | undefined {
  if (target.kind === 'url') return target.url
  const isContent = target.kind === 'page' || target.kind === 'anchor' || target.kind === 'space'
  const address = isContent ? customLink(target, site)?.href : undefined
  return address ?? (href === undefined ? undefined : site.links.ofPublished(href))
}

function hrefOf(to: Exclude<LinkTarget, { kind: 'url' }>, site: OpenedSite): string | undefined {
  const { links, tree } = site
  if (to.kind === 'file') {
    const file = tree.fileById.get(to.file)
    return file && fileHref(file, site)
  }
  // People, collections, specifications and the like have no page on a site.
  if (!isPlace(to)) return undefined
  const siteSpace = 'space' in to && to.space !== undefined ? spaceOf(to.space, site) : site.siteSpace
  if (!siteSpace) return undefined
  if (to.kind === 'space') return links.ofSiteSpace(siteSpace)
  const isHere = siteSpace.id === site.siteSpace.id
  const hash = to.kind === 'anchor' ? `#${encodeURIComponent(to.anchor)}` : ''
  if (to.page === undefined) return `${links.ofSiteSpace(siteSpace)}${hash}`
  // A page of another space is found there by its id.
  if (!isHere) return `${links.below(siteSpace)}~recto/page/${encodeURIComponent(to.page)}${hash}`
  const treePage = tree.byId.get(to.page)
  return treePage && `${links.ofPage(treePage.page.path)}${hash}`
}

const isPlace = (to: LinkTarget): to is Extract<LinkTarget, { kind: 'page' | 'anchor' | 'space' }> =>
  ['page', 'anchor', 'space'].includes(to.kind)

function spaceOf(id: string, site: OpenedSite) {
  return siteSpacesOf(site.published).find(({ space }) => space.id === id)
}
