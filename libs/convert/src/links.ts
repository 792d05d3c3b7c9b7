import { decodeUriComponent } from '@recto/text'
import { relativeLink } from './paths.ts'

/** Paths of a set by the key of the resource that they came from (`resourceKey`). */
export type LinkTargets = Record<string, string>

/** Where links are seen from, and where they may lead. */
export interface LinkContext {
  /** URL of the page, as its links are relative to it. */
  base: string
  /** Path of the page in the set. */
  file: string
  targets: LinkTargets
}

/** Stands for the folder of an archive, so that its paths are URLs. */
const archiveHost = 'archive.invalid'

/** The URL of a path in an archive. */
export function archiveUrl(path: string): string {
  return `http://${archiveHost}/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Whether a URL is that of a path in an archive. */
export const isArchiveUrl = (url: string): boolean => url.startsWith(`http://${archiveHost}/`)

/** Identifies a resource however its URL is spelled: without scheme, fragment and trailing slash. Pages are identified without query. */
export function resourceKey(url: URL, { query }: { query: boolean } = { query: false }): string {
  const path = decodePath(url).normalize('NFC').replace(/\/+$/, '')
  return `${url.host}${path}${query ? url.search : ''}`
}

/** An absolute http URL, or undefined for a link that leads nowhere or elsewhere (`mailto:` and the like). */
export function resolveUrl(href: string, base: string): URL | undefined {
  if (!URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

/**
 * A link as it has to be in the set: relative to a page or file of it, else absolute; unchanged when it leads nowhere in an archive.
 * A link that would run script becomes empty.
 */
export function rewriteLink(href: string, { base, file, targets }: LinkContext): string {
  if (/^\s*(?:javascript|vbscript):/i.test(href)) return ''
  if (href === '' || href.startsWith('#')) return href
  const url = resolveUrl(href, base)
  if (!url) return href
  const target = targetOf(url, targets)
  if (target === undefined) return url.host === archiveHost ? href : url.href
  if (target === file && url.hash !== '') return url.hash
  const isSame = url.host === archiveHost && !href.startsWith('/') && decodePath(url) === `/${target}`
  return isSame ? href : `${relativeLink(file, target)}${url.hash}`
}

function targetOf(url: URL, targets: LinkTargets): string | undefined {
  const keys = [resourceKey(url, { query: true }), resourceKey(url)]
  return keys.flatMap(key => (Object.hasOwn(targets, key) ? [targets[key]] : []))[0]
}

function decodePath({ pathname }: URL): string {
  return decodeUriComponent(pathname) ?? pathname
}
