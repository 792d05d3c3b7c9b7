import { type Addressed, basenameIn, partsOfAddress } from './addresses.rules.ts'
import { decodePart } from './decode-part.ts'

/** A URL that a visitor opened: its host without port and without a dot at its end, in lower case, and the decoded parts of its path. */
export interface OpenedUrl {
  host: string
  parts: string[]
}

/** Reads a URL; undefined for one that is none. Parts that cannot be decoded stay as they are. */
export function readUrl(url: string): OpenedUrl | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  return { host: hostname.toLowerCase().replace(/\.$/, ''), parts: pathname.split('/').filter(Boolean).map(decodePart) }
}

/**
 * How many parts of an opened path are the site's own: those of its proxy, or none; undefined when the site is elsewhere. At a host of
 * the installation, the basename alone counts.
 */
export function ownParts(site: Addressed, url: OpenedUrl, sitesUrl: string): number | undefined {
  const basename = basenameIn(url.host, sitesUrl)
  if (basename !== undefined) return basename === site.basename ? 0 : undefined
  const [proxyHost = '', ...proxyParts] = partsOfAddress(site.proxy ?? '')
  const isBehindProxy =
    site.proxy !== null &&
    url.host === proxyHost &&
    proxyParts.every((part, at) => url.parts[at]?.toLowerCase() === part)
  if (isBehindProxy) return proxyParts.length
  return site.hostname === url.host ? 0 : undefined
}
