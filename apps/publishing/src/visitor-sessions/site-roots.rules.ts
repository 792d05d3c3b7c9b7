import { type Addressed, hostsOf, partsOfAddress } from '../addresses/addresses.rules.ts'

/** Where an installation shows sites. */
interface Places {
  sitesUrl: string
  readerUrl?: string | undefined
}

/** The addresses at which visitors find a site in a browser, each without a slash at its end: at its hosts, and below the reader of the installation. */
export function siteRoots(site: Addressed, { sitesUrl, readerUrl }: Places): string[] {
  const { basename, hostname, proxy } = site
  const atHosts = [
    ...(proxy === null ? [] : [`https://${partsOfAddress(proxy).join('/')}`]),
    ...(hostname === null ? [] : [`https://${hostname}`]),
    sitesUrl.replace('{basename}', basename),
  ]
  const names = [...(hostname === null ? [] : [hostname]), basename]
  return [...atHosts, ...(readerUrl === undefined ? [] : names.map(name => `${readerUrl}/${name}`))]
}

/**
 * Whether a site is at an address. On the machine itself, at hosts below `localhost`, it may be at any port, and without https: to try it
 * out.
 */
export function isSiteRoot(root: string, site: Addressed, places: Places): boolean {
  const url = new URL(root)
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false
  const path = url.pathname.replace(/\/$/, '')
  if (siteRoots(site, places).some(address => sameAddress(address, `${url.origin}${path}`))) return true
  return path === '' && url.hostname.endsWith('.localhost') && hostsOf(site, places.sitesUrl).includes(url.hostname)
}

function sameAddress(one: string, other: string): boolean {
  const first = new URL(one)
  const second = new URL(other)
  return first.origin === second.origin && first.pathname.toLowerCase() === second.pathname.toLowerCase()
}
