import type { SiteLinks } from '../addresses/site-links.rules.ts'

/** The addresses of a site at the reader. */
export interface SitePlace {
  links: Pick<SiteLinks, 'root' | 'space' | 'ofPublished'>
  mountPath: string
  /** The origin at which the client reaches the reader. */
  origin: string
}

/**
 * The path below the mount path of what a client calls by an address: a published URL, a URL of the reader, or a path, from the root of the
 * site if it begins with a slash, else from the space. The end `.md` of Markdown, a query and an anchor are left out. Undefined for a URL
 * of another site.
 */
export function pathOfAddress(address: string, { links, mountPath, origin }: SitePlace): string | undefined {
  const local = isUrl(address) ? pathOfUrl(links.ofPublished(address), origin) : below(links, address)
  if (local === undefined || !local.startsWith(`${mountPath}/`)) return undefined
  const { pathname } = new URL(local, 'http://reader')
  const path = pathname.slice(mountPath.length).replace(/(?<=[^/])\.md$/, '')
  return path.replace(/(?<=.)\/+$/, '') || '/'
}

function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

/** A URL of the reader without its origin; what is no URL any more has lost it before. */
function pathOfUrl(url: string, origin: string): string | undefined {
  if (url.startsWith('/')) return url
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : undefined
}

function below({ root, space }: SitePlace['links'], path: string): string {
  const end = path.replace(/^[/\\]+/, '')
  return `${/^[/\\]/.test(path) ? root : space}${end}`
}
