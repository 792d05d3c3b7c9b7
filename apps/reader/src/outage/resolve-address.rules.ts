import { decodeUriComponent } from '@recto/text'
import type { PublishedSite, Section, SiteLookup, SiteSpace } from '../api/types.ts'
import { sectionsOf } from '../addresses/site-links.rules.ts'
import { publishedBase } from '../loaders/meta-links.ts'

/** A site as it is kept, at one of its addresses. */
export interface AddressedSite {
  published: PublishedSite
  /** A lookup of the site, at any of its spaces. */
  lookup: SiteLookup
  /** The path at which the site begins, such as `/`. */
  siteBasePath: string
}

/**
 * The lookup of an address, as the API answers it for the same site: the section whose path comes first, else the default one; in it the
 * space whose path comes next, also behind `v`, else the default one. Undefined for what is previewed, and where the site shows nothing.
 */
export function resolveAddress(
  url: string,
  { published, lookup, siteBasePath }: AddressedSite,
): SiteLookup | undefined {
  const all = partsOf(new URL(url).pathname)
  const own = partsOf(siteBasePath).length
  const parts = all.slice(own)
  const place = placeAt(published, parts)
  if (!place || isPreview(parts.slice(place.used))) return undefined
  const { siteSpace, section, used, isComplete } = place
  const rest = parts.slice(used).map(encodeURIComponent)
  return {
    organization: lookup.organization,
    site: lookup.site,
    siteSpace: siteSpace.id,
    ...(section && { siteSection: section.id }),
    space: siteSpace.space.id,
    pathname: `/${rest.join('/')}`,
    basePath: pathOf(all.slice(0, own + used)),
    siteBasePath: pathOf(all.slice(0, own)),
    apiToken: lookup.apiToken,
    complete: isComplete,
    canonicalUrl: `${publishedBase(siteSpace) ?? ''}${rest.join('/')}`,
  }
}

interface Place {
  section: Section | undefined
  siteSpace: SiteSpace
  used: number
  isComplete: boolean
}

function placeAt(published: PublishedSite, parts: readonly string[]): Place | undefined {
  const sections = sectionsOf(published)
  const sectionAtPath = sections.find(({ path }) => path === parts[0]?.toLowerCase())
  const section = sectionAtPath ?? sections.find(each => each.default) ?? sections[0]
  const { structure } = published
  const variants: readonly SiteSpace[] =
    structure.type === 'siteSpaces' ? structure.structure : (section?.siteSpaces ?? [])
  const atSection = sectionAtPath ? 1 : 0
  const prefix = parts[atSection] === 'v' ? 1 : 0
  const segment = parts[atSection + prefix]?.toLowerCase()
  const isNamed = variants.some(variant => !variant.default)
  const variant = isNamed ? variants.find(({ path }) => path === segment) : undefined
  const siteSpace = variant ?? variants.find(each => each.default) ?? variants[0]
  if (!siteSpace) return undefined
  const used = atSection + (variant ? prefix + 1 : 0)
  const mayChoose = (!sectionAtPath && sections.length > 0) || (!variant && isNamed)
  const isDecided = parts.length > used + (prefix && !variant ? 1 : 0) || !mayChoose
  return { section, siteSpace, used, isComplete: isDecided && !isBegunPreview(parts.slice(used)) }
}

const previewKinds = ['changes', 'revisions', 'pull-requests']

function isPreview([tilde, kind = '', id]: readonly string[]): boolean {
  return tilde === '~' && previewKinds.includes(kind) && id !== undefined && /^[\w-]{1,100}$/.test(id)
}

function isBegunPreview([tilde, kind = 'changes', id]: readonly string[]): boolean {
  return tilde === '~' && previewKinds.includes(kind) && id === undefined
}

function partsOf(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return parts.map(part => decodeUriComponent(part) ?? part)
}

function pathOf(parts: readonly string[]): string {
  return parts.length === 0 ? '/' : `/${parts.map(encodeURIComponent).join('/')}/`
}
