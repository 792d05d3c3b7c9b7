/** What the address of a site is made from. */
export interface Addressed {
  basename: string
  hostname: string | null
  proxy: string | null
}

/** The host of a site: its own, or the one that the installation gives it. `sitesUrl` is a URL with `{basename}`. */
export function hostOf({ basename, hostname }: Addressed, sitesUrl: string): string {
  return hostname ?? new URL(sitesUrl.replace('{basename}', basename)).host
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
