import type { ExternalLink, SiteLookup, PublishedSite, Section, SectionEntry, SiteSpace } from '../api/types.ts'

/** Addresses of a site as the visitor's browser sees them. */
export interface SiteLinks {
  /** The root of the site, ending in a slash. */
  root: string
  /** The root of the current space, ending in a slash; of what is previewed, too. */
  space: string
  /** The path of resources that the reader itself serves for the current space, such as files and searches, ending in a slash. */
  own: string
  /** Where a space begins: what `cleanedPath` leaves as it is. */
  ofSiteSpace(siteSpace: SiteSpace): string
  /** The address below which a space has its pages, ending in a slash. */
  below(siteSpace: SiteSpace): string
  ofSection(section: Section): string
  /** A page of the current space. */
  ofPage(path: string): string
  /** Where a published URL is at this reader: one of this site below its mount path, any other as it is. */
  ofPublished(url: string): string
}

/** Paths below which nothing is a page. */
const ownPath = '~recto/'

interface Place {
  lookup: SiteLookup
  mountPath: string
  isPreview: boolean
  /** The page that opens without a path. */
  homePath: string | undefined
}

/** Finds the addresses of a site that a lookup led to, below the mount path of the reader. */
export function siteLinks(site: PublishedSite, { lookup, mountPath, isPreview, homePath }: Place): SiteLinks {
  const root = `${mountPath}${lookup.siteBasePath}`
  const sections = sectionsOf(site)
  const published = new URL(lookup.canonicalUrl)
  const below = (parts: readonly string[]) => `${root}${parts.map(part => `${encodeURIComponent(part)}/`).join('')}`
  const beginning = (address: string) => (address === `${mountPath}/` ? address : address.slice(0, -1))
  const space = `${mountPath}${lookup.basePath}`
  return {
    root,
    space,
    own: `${space}${ownPath}`,
    ofSiteSpace: siteSpace => beginning(below(partsOf(siteSpace, sections))),
    below: siteSpace => below(partsOf(siteSpace, sections)),
    ofSection: section => beginning(below(section.default ? [] : [section.path])),
    ofPage: path => (path === homePath ? beginning(space) : `${space}${encodePath(path)}`),
    ofPublished(url) {
      if (!URL.canParse(url)) return url
      const { host, protocol, pathname, search, hash } = new URL(url)
      if (host !== published.host || protocol !== published.protocol) return url
      return `${isPreview ? root.slice(0, -1) : mountPath}${pathname}${search}${hash}`
    },
  }
}

/** All sections of a site, in their order, from all groups. */
export function sectionsOf({ structure }: PublishedSite): Section[] {
  const entries = structure.type === 'sections' ? structure.structure.flatMap(entriesIn) : []
  return entries.filter(entry => entry.object === 'site-section')
}

/** The sections and links in an entry of the navigation, in their order, from all groups. */
export function entriesIn(entry: SectionEntry): (Section | ExternalLink)[] {
  return entry.object === 'site-section-group' ? (entry.children as SectionEntry[]).flatMap(entriesIn) : [entry]
}

/** All spaces of a site, in their order. */
export function siteSpacesOf(site: PublishedSite): SiteSpace[] {
  const { structure } = site
  return structure.type === 'siteSpaces'
    ? structure.structure
    : sectionsOf(site).flatMap(({ siteSpaces }) => siteSpaces)
}

function partsOf(siteSpace: SiteSpace, sections: readonly Section[]): string[] {
  const section = sections.find(({ siteSpaces }) => siteSpaces.some(({ id }) => id === siteSpace.id))
  const before = !section || section.default ? [] : [section.path]
  if (siteSpace.default) return before
  // A section of the same path comes first, so the space is behind the path of its own section.
  const isHidden = section && before.length === 0 && sections.some(({ path }) => path === siteSpace.path)
  return [...(isHidden ? [section.path] : before), siteSpace.path]
}

/** A path of a page in a URL: its parts encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
