import { resolveUrl } from './links.ts'

/** The part of a site that is crawled: the folder of the start URL, on its host. */
export interface SiteScope {
  origin: string
  /** Path with which all pages start; ends with a slash. */
  prefix: string
  /** The URL of a page as the crawl names it, without query and fragment; undefined outside the scope and for what is no page. */
  pageOf(href: string, base: string): string | undefined
}

/** Files that are no pages, by their extension. */
const notPages =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|mjs|map|json|xml|rss|atom|txt|pdf|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|deb|rpm|iso|mp[34]|m4[av]|webm|og[gv]|wav|mov|avi|woff2?|ttf|otf|eot|csv|xlsx?|docx?|pptx?)$/i
const maxPathLength = 1_000

/** The scope of a crawl that starts at a URL: `/docs/` and `/docs` cover what is below, `/docs/start.html` its folder. */
export function scopeOf(start: string): SiteScope {
  const { origin, pathname } = new URL(start)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const folder = pathname.slice(0, pathname.length - last.length)
  const prefix = last === '' ? pathname : last.includes('.') ? folder : `${pathname}/`
  return {
    origin,
    prefix,
    pageOf(href, base) {
      const url = resolveUrl(href, base)
      if (url?.origin !== origin || url.username !== '' || url.password !== '') return undefined
      const isInside = url.pathname.startsWith(prefix) || url.pathname === prefix.slice(0, -1)
      if (!isInside || notPages.test(url.pathname) || url.pathname.length > maxPathLength) return undefined
      return `${origin}${url.pathname}`
    },
  }
}
