import { decodeUriComponent } from '@recto/text'
import type { DocumentRef } from '@recto/markdown/schema'
import { locateUrl } from '../urls/locate-url.rules.ts'

/** A URL of the application that names a place in a space. */
export interface PlaceUrl {
  url: string
  space: string
  /** Left out where the URL names the space as a whole. */
  page?: { page: string } | { path: string } | undefined
  /** The hash of the URL, with its `#`. */
  hash: string
}

/** The place that a URL of the application leads to for a visitor. */
export interface VisitedPlace {
  /** The target: content of a space of the site, else a public URL. */
  ref: DocumentRef
  /** An address that opens without a key or a preview; absent where the site of the visitor has none. */
  url?: string | undefined
}

/** The place that a URL names in a space; undefined for one without a published address: files, change requests, collections and users. */
export function parsePlaceUrl(url: string, publicUrl: string): PlaceUrl | undefined {
  if (!url.startsWith(`${publicUrl}/s/`)) return undefined
  const location = locateUrl(url, publicUrl)
  if (location?.kind !== 'space' || location.revisionId !== undefined || location.changeRequestId !== undefined)
    return undefined
  const { spaceId: space, page } = location
  const { hash } = new URL(url)
  return { url, space, hash, ...(page && { page: 'id' in page ? { page: page.id } : page }) }
}

/**
 * Returns the target of a link to a page or space for a visitor: a URL when it is outside their site and has a public address, else a
 * reference. A reference also carries the address if there is one.
 */
export function visitedPlaceOf(
  { space, hash }: Pick<PlaceUrl, 'space' | 'hash'>,
  {
    page,
    isOnSite,
    url,
  }: { page?: { id: string; path: string } | null | undefined; isOnSite: boolean; url?: string | undefined },
): VisitedPlace {
  const address = url === undefined ? undefined : `${url}${page ? encodedPath(page.path) : ''}${hash}`
  if (!isOnSite && address !== undefined) return { ref: { kind: 'url', url: address }, url: address }
  return { ref: refOf({ space, hash, page }), ...(address !== undefined && { url: address }) }
}

function refOf({
  space,
  hash,
  page,
}: {
  space: string
  hash: string
  page?: { id: string } | null | undefined
}): DocumentRef {
  if (!page) return { kind: 'space', space }
  const anchor = anchorOf(hash)
  return anchor === '' ? { kind: 'page', page: page.id, space } : { kind: 'anchor', anchor, page: page.id, space }
}

/** The anchor that the hash of a URL names; '' for none. */
export function anchorOf(hash: string): string {
  const text = hash.slice(1)
  return decodeUriComponent(text) ?? text
}

/** The path of a page in a URL: its parts encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
