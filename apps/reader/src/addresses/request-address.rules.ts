/** Where a request finds its site. */
export interface RequestAddress {
  /** The origin that a lookup knows the site by. */
  site: string
  /** The start of that origin's paths at this reader: '' at a host of its own, else '/<name>'. */
  mountPath: string
  /** The path below the mount path, undecoded, beginning with a slash. */
  path: string
  isPreview: boolean
}

/** How the reader maps addresses. */
export interface AddressOptions {
  /** Such as `https://{basename}.docs.example`. */
  sitesUrl: string
  /** Hosts below which the first part of a path names the site. */
  readerHosts: readonly string[]
}

/** Previews are at one origin; the first part of the path is the site. */
const previewMount = '/url/preview'
const previewPath = /^\/url\/preview(\/[\w-]{1,100})(\/.*)?$/
const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Finds the site that a request is for by its host and the path of its URL. At a host of the reader itself the first part of the path is
 * the basename of a site, or the hostname of one. Undefined where that can be no site.
 */
export function requestAddress(
  { host, path }: { host: string; path: string },
  { sitesUrl, readerHosts }: AddressOptions,
): RequestAddress | undefined {
  const hostname = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  if (!readerHosts.includes(hostname)) {
    if (!hostName.test(hostname)) return undefined
    return { site: `${schemeOf(hostname, sitesUrl)}://${hostname}`, mountPath: '', path, isPreview: false }
  }
  const [, site, rest = '/'] = previewPath.exec(path) ?? []
  if (site !== undefined)
    return { site: 'https://preview', mountPath: previewMount, path: `${site}${rest}`, isPreview: true }
  const [, name = '', below = '/'] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (!hostName.test(name)) return undefined
  const origin = name.includes('.') ? `https://${name}` : sitesUrl.replace('{basename}', name)
  return { site: origin, mountPath: `/${name}`, path: below, isPreview: false }
}

/** The end of hosts of the installation, such as `.docs.example`. */
function suffixOf(sitesUrl: string): string {
  return sitesUrl.slice(sitesUrl.indexOf('}') + 1)
}

/** Hosts of the installation have the scheme of its setting, those of sites are https. */
function schemeOf(hostname: string, sitesUrl: string): string {
  return hostname.endsWith(suffixOf(sitesUrl)) ? sitesUrl.slice(0, sitesUrl.indexOf(':')) : 'https'
}
