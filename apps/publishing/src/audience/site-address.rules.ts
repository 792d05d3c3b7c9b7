/** A site by its address. */
export interface AddressedSite {
  basename: string
  hostname: string | null
  proxy: string | null
}

/** A URL that a visitor opened: its host without port, in lower case, and the decoded parts of its path. */
export interface OpenedUrl {
  host: string
  parts: string[]
}

/** Reads a URL; undefined for one that is none. Parts that cannot be decoded stay as they are. */
export function readUrl(url: string): OpenedUrl | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  return { host: hostname.toLowerCase(), parts: pathname.split('/').filter(Boolean).map(decoded) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The basename in the host that the installation gives a site; undefined for other hosts. `sitesUrl` is a URL with `{basename}`. */
export function basenameIn(host: string, sitesUrl: string): string | undefined {
  const { hostname } = new URL(sitesUrl.replace('{basename}', 'x'))
  const suffix = hostname.slice(1)
  const name = host.slice(0, -suffix.length)
  return host.endsWith(suffix) && name !== '' && !name.includes('.') ? name : undefined
}

/** How many parts of an opened path are the site's own: those of its proxy, or none; undefined when the site is elsewhere. */
export function ownParts(site: AddressedSite, opened: OpenedUrl, sitesUrl: string): number | undefined {
  const [proxyHost = '', ...proxyParts] = (site.proxy ?? '').toLowerCase().split('/')
  const isBehindProxy =
    site.proxy !== null &&
    opened.host === proxyHost &&
    proxyParts.every((part, at) => opened.parts[at]?.toLowerCase() === part)
  if (isBehindProxy) return proxyParts.length
  if (site.hostname === opened.host) return 0
  return basenameIn(opened.host, sitesUrl) === site.basename ? 0 : undefined
}
