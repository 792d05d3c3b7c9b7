import { posix } from 'node:path'
import { brokenReference } from '@recto/markdown'
import type { ResolvedTarget } from '@recto/repository-content'
import { encodedPath, type VisitedPlace } from './visited-place.rules.ts'

/** The addresses for the links of a page for visitors. */
export interface VisitorLinks {
  spaceId: string
  /** The address of the space, ending in a slash, below which links lead to the Markdown of pages; without it they lead to pages. */
  markdownBase?: string | undefined
  /** The path of the page on its space, from whose folder relative links are seen. */
  path: string
  /** The path of a page of the space; undefined for a page without one. */
  pathOf(page: string): string | undefined
  /** A signed URL of a file. */
  fileUrl(file: string): string | undefined
  /** The address of a space on the visitor's site, with a slash at its end; undefined when no such address opens for them. */
  addressOf(space: string): string | undefined
  /** The place that a URL of the application leads to for the visitor; undefined when it leads nowhere. */
  placeOf(url: string): VisitedPlace | undefined
}

/** Links of Markdown itself, which readers resolve against the folder of the page. */
const relativeKinds = new Set(['link', 'mention'])

/**
 * Rewrites a target for visitors, who have no files beside the page; undefined leaves it as it was written:
 *
 * | target                                   | written as                                                           |
 * | ---------------------------------------- | -------------------------------------------------------------------- |
 * | a page, in a link                        | its path, relative to the folder of the page                         |
 * | a page, in a tag, card or button         | its URL on the site, since only links are resolved; else as in a link |
 * | an anchor of the page itself             | the anchor; in a tag, with the page                                  |
 * | the space itself                         | its URL on the site, else as it was                                  |
 * | a file or an image                       | its signed URL                                                       |
 * | a page or the start of another space     | its URL on the site of the visitor, else on a public site            |
 * | the same, where the site has no address  | as it was: in a preview, and behind share links                      |
 * | any other place of the application       | a broken reference                                                   |
 * | a URL, a mail address                    | as it was                                                            |
 *
 * A target that is not there, or not for visitors, has no address; callers make it a broken reference, since its path can be that of a hidden page.
 *
 * In Markdown whose links lead to Markdown, pages of the space have absolute addresses below its own, with `.md` at the end of their path,
 * since the same text is read at several addresses; pages of other spaces of the site have the extension, too.
 */
export function visitorTarget({ status, ref }: ResolvedTarget, kind: string, links: VisitorLinks): string | undefined {
  if (!ref) return undefined
  if (ref.kind === 'url') return status === 'in-app' ? urlOfPlace(ref.url, links) : undefined
  if (ref.kind === 'file') return links.fileUrl(ref.file)
  if (ref.kind === 'space') return links.addressOf(ref.space)
  if (ref.kind === 'page') return pageTarget(links.pathOf(ref.page), '', { kind, links })
  if (ref.kind !== 'anchor') return undefined
  const anchor = `#${encodeURIComponent(ref.anchor)}`
  if (ref.page === undefined && relativeKinds.has(kind)) return anchor
  return pageTarget(ref.page === undefined ? links.path : links.pathOf(ref.page), anchor, { kind, links })
}

function pageTarget(
  path: string | undefined,
  anchor: string,
  { kind, links }: { kind: string; links: VisitorLinks },
): string | undefined {
  if (path === undefined || path === '') return undefined
  const { markdownBase } = links
  if (markdownBase !== undefined) return `${markdownBase}${encodedPath(path)}.md${anchor}`
  const address = relativeKinds.has(kind) ? undefined : links.addressOf(links.spaceId)
  return `${address === undefined ? relativePath(links.path, path) : address + encodedPath(path)}${anchor}`
}

function urlOfPlace(url: string, links: VisitorLinks): string | undefined {
  const place = links.placeOf(url)
  if (!place) return brokenReference
  const isPage = place.ref.kind === 'page' || place.ref.kind === 'anchor'
  return isPage && links.markdownBase !== undefined ? place.url?.replace(/(?=#|$)/, '.md') : place.url
}

/** A path as it is seen from the folder of another page. */
function relativePath(from: string, to: string): string {
  const folder = posix.relative(`/${posix.dirname(from)}`, `/${posix.dirname(to)}`)
  return encodedPath(posix.join(folder, posix.basename(to)))
}

/** A URL as it stands in Markdown, where a name between `&` and `;` is a character. */
export function escapeEntities(url: string): string {
  return url.replaceAll(/&(?=#?\w+;)/g, '&amp;')
}
