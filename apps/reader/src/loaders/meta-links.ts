import type { Reads } from '../api/reads.ts'
import type { DocumentPage, SiteSpace } from '../api/types.ts'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { headLinks, type HeadLinks, type MetaLinkPlace } from './meta-links.rules.ts'
import { siteSpaceOf, type OpenedSite } from './open-site.ts'
import { pageTree } from './page-tree.rules.ts'
import { readRevisionOf } from './targets.ts'

type Target = NonNullable<NonNullable<DocumentPage['metaLinks']>['canonical']>

/** Where the meta links of a page lead; what the visitor may not see is left out. A preview has none, as its addresses are not published. */
export async function readMetaLinks(
  page: DocumentPage,
  { site, reads }: { site: OpenedSite; reads: Reads },
): Promise<HeadLinks> {
  const { canonical, alternates = [] } = page.metaLinks ?? {}
  if (site.isPreview || (!canonical && alternates.length === 0)) return { alternates: [] }
  const targets = [...(canonical ? [canonical] : []), ...alternates]
  const places = await Promise.all(targets.map(target => placeOf(target, { site, reads })))
  const own = await placeOf({ kind: 'page', page: page.id }, { site, reads })
  return headLinks({
    canonical: canonical && places[0],
    alternates: canonical ? places.slice(1) : places,
    own,
  })
}

async function placeOf(target: Target, from: { site: OpenedSite; reads: Reads }): Promise<MetaLinkPlace | undefined> {
  const { site } = from
  if (target.kind === 'url') return { url: target.url, language: languageAt(target.url, site) }
  const { space = site.space.id } = target
  const siteSpace = siteSpaceOf(space, site)
  const tree = siteSpace && (await treeOf(siteSpace, from))
  const page = tree?.byId.get(target.page)?.page
  if (!siteSpace || !page) return undefined
  const url = publishedUrl(siteSpace, page.id === tree?.home?.page.id ? '' : page.path)
  return url === undefined ? undefined : { url, language: siteSpace.space.language }
}

/** The tree of a space of the site; undefined for one that cannot be read. */
async function treeOf(siteSpace: SiteSpace, { site, reads }: { site: OpenedSite; reads: Reads }) {
  if (siteSpace.space.id === site.space.id) return site.tree
  try {
    return pageTree(await readRevisionOf(siteSpace, { site, reads }))
  } catch {
    return undefined
  }
}

/** The language of the space of the site whose address a URL begins with. */
function languageAt(url: string, { published }: OpenedSite): string | undefined {
  const isBelow = (base: string | undefined) => base !== undefined && `${url}/`.startsWith(base)
  const spaces = siteSpacesOf(published).filter(siteSpace => isBelow(publishedBase(siteSpace)))
  return spaces.toSorted((one, other) => (other.urls.published ?? '').length - (one.urls.published ?? '').length)[0]
    ?.space.language
}

/** The URL below which the pages of a space of a site are published, ending in a slash. */
export function publishedBase({ urls: { published } }: Pick<SiteSpace, 'urls'>): string | undefined {
  return published?.replace(/\/?$/, '/')
}

/** The published URL of a path in a space of a site; of its beginning without a slash at the end, as its reader serves it, except for a host. */
export function publishedUrl(siteSpace: Pick<SiteSpace, 'urls'>, path: string): string | undefined {
  const base = publishedBase(siteSpace)
  if (base === undefined) return undefined
  if (path === '') return new URL(base).pathname === '/' ? base : base.slice(0, -1)
  return `${base}${path.split('/').map(encodeURIComponent).join('/')}`
}
