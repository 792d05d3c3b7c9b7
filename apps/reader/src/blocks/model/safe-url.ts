const web = /^https?:/i
const others = /^(?:mailto|tel):/i
const unseen = /[\u0000-\u001f\u007f]/

/** The URL as it may stand in `href` and `src`: http, https, mailto, tel, a path of the site or an anchor; undefined for all others. */
export function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text === '' || unseen.test(text)) return undefined
  if (text.startsWith('#') || others.test(text)) return text
  // Browsers read two slashes, or a backslash for one of them, as the start of a host.
  if (text.startsWith('/')) return /^\/[/\\]/.test(text) ? undefined : text
  return web.test(text) && URL.canParse(text) ? new URL(text).href : undefined
}

/** Tells whether a URL that `safeUrl` allows leads to another host. */
export function isWebUrl(url: string | undefined): boolean {
  return url !== undefined && web.test(url)
}

/** The host of a URL, without `www.`; the URL itself where it has none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') || url : url
}
