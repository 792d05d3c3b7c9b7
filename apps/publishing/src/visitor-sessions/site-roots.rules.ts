import { addressOf, type Addressed, hostsOf, partsOfAddress } from '../addresses/addresses.rules.ts'

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
 * A site as its members find it to sign in: not behind its proxy, which anybody may write and nobody proves to own. A code of a member is
 * sent to no such address, while a provider sends its codes to those alone that its owner has registered there.
 */
function withoutProxy<Site extends Addressed>(site: Site): Site {
  return { ...site, proxy: null }
}

/** Where members sign in who open a site at an address: there, unless it is behind the proxy. Without a slash at its end. */
export function memberRoot(root: string, site: Addressed, sitesUrl: string): string {
  const isAtProxy = site.proxy !== null && sameAddress(`https://${site.proxy}`, root)
  return isAtProxy ? addressOf(withoutProxy(site), sitesUrl).replace(/\/$/, '') : root
}

/**
 * Whether a site is at an address. On the machine itself, at hosts below `localhost`, it may be at any port, and without https: to try it
 * out.
 */
export function isSiteRoot(root: string, site: Addressed, places: Places): boolean {
  const url = new URL(root)
  return isBare(url) && (isListed(url, site, places) || isLocal(url, site, places))
}

/**
 * Whether members sign in at an address of a site: at its own hosts, and below `localhost` at the port of the reader of the installation, since
 * another program of the machine may have any other.
 */
export function isMemberRoot(root: string, site: Addressed, places: Places): boolean {
  const url = new URL(root)
  const own = withoutProxy(site)
  return isBare(url) && (isListed(url, own, places) || (isLocal(url, own, places) && isAtReader(url, places)))
}

const isBare = ({ search, hash, username, password }: URL) =>
  [search, hash, username, password].every(part => part === '')

function isListed({ origin, pathname }: URL, site: Addressed, places: Places): boolean {
  const root = `${origin}${pathname.replace(/\/$/, '')}`
  return siteRoots(site, places).some(address => sameAddress(address, root))
}

function isLocal({ hostname, pathname }: URL, site: Addressed, { sitesUrl }: Places): boolean {
  return pathname === '/' && hostname.endsWith('.localhost') && hostsOf(site, sitesUrl).includes(hostname)
}

function isAtReader({ protocol, port }: URL, { readerUrl }: Places): boolean {
  if (readerUrl === undefined) return true
  const reader = new URL(readerUrl)
  return reader.protocol === protocol && reader.port === port
}

function sameAddress(one: string, other: string): boolean {
  const first = new URL(one)
  const second = new URL(other)
  return first.origin === second.origin && first.pathname.toLowerCase() === second.pathname.toLowerCase()
}
