import type { SiteLookup } from '../api/types.ts'

/**
 * Converts the path of a lookup to the source of a redirect: relative to the site, with all but unreserved characters encoded (RFC 3986). Paths of a
 * lookup are encoded once, so only what `encodeURIComponent` leaves as it is remains.
 */
export function redirectSource({
  siteBasePath,
  basePath,
  pathname,
}: Pick<SiteLookup, 'siteBasePath' | 'basePath' | 'pathname'>): string {
  const path = `/${basePath.slice(siteBasePath.length)}${pathname.slice(1)}`
  return path.replace(/(?<=.)\/$/, '').replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
