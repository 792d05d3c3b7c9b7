/** The parts of a site's address. */
export interface Addressed {
  basename: string
  hostname: string | null
  proxy: string | null
}

/** The host of a site: its own, or the one that the installation gives it. `sitesUrl` is a URL with `{basename}`. */
export function hostOf({ basename, hostname }: Addressed, sitesUrl: string): string {
  return hostname ?? new URL(sitesUrl.replace('{basename}', basename)).host
}

/** The host of a hostname or proxy, and the parts of its path. */
export function partsOfAddress(address: string): string[] {
  return address.toLowerCase().split('/')
}

/** All hosts at which a site is found: by its basename, at its own hostname, and behind its proxy. */
export function hostsOf({ basename, hostname, proxy }: Addressed, sitesUrl: string): string[] {
  const { hostname: siteHostname } = new URL(sitesUrl.replace('{basename}', basename))
  return [siteHostname, hostname, proxy === null ? null : partsOfAddress(proxy)[0]].filter(
    host => typeof host === 'string',
  )
}

/** Where visitors read a site, ending in a slash: below its proxy, at its own hostname, or where the installation publishes it. */
export function addressOf(site: Addressed, sitesUrl: string): string {
  if (site.proxy !== null) return `https://${site.proxy}/`
  return site.hostname === null ? `${sitesUrl.replace('{basename}', site.basename)}/` : `https://${site.hostname}/`
}

/** An address below a site, each part encoded, ending in a slash. */
export function addressBelow(address: string, parts: readonly string[]): string {
  return parts.reduce((url, part) => `${url}${encodeURIComponent(part)}/`, address)
}

/** The basename in the host that the installation gives a site; undefined for other hosts. `sitesUrl` is a URL with `{basename}`. */
export function basenameIn(host: string, sitesUrl: string): string | undefined {
  const { hostname } = new URL(sitesUrl.replace('{basename}', 'x'))
  const suffix = hostname.slice(1)
  const name = host.slice(0, -suffix.length)
  return host.endsWith(suffix) && name !== '' && !name.includes('.') ? name : undefined
}
