import { decodeUriComponent } from '@recto/text'
/** A page as a URL names it. */
export type PageAddress = { id: string } | { path: string }

/** The resource that a URL of this installation names; whether it exists is not known yet. */
export type UrlLocation =
  | { kind: 'collection'; collectionId: string }
  | { kind: 'space'; spaceId: string; revisionId?: string; changeRequestId?: string; page?: PageAddress }

/** Reads a URL of the application (`/s/…`, `/c/…`) or of the API (`/v1/…`) below `publicUrl`; undefined for every other URL. */
export function locateUrl(url: string, publicUrl: string): UrlLocation | undefined {
  const segments = segmentsBelow(url, publicUrl)
  // The database stores no NUL: nothing has such an id or path.
  if (!segments || segments.some(segment => segment === '' || segment.includes('\0'))) return undefined
  const [area, ...rest] = segments
  if (area === 's') return locateInSpace(rest)
  if (area === 'c') return locateCollection(rest)
  const [resource, ...ids] = rest
  if (area === 'v1' && resource === 'collections') return locateCollection(ids)
  return area === 'v1' && resource === 'spaces' && ids.length === 1 ? locateInSpace(ids) : undefined
}

function locateCollection([collectionId, ...rest]: string[]): UrlLocation | undefined {
  return collectionId === undefined || rest.length > 0 ? undefined : { kind: 'collection', collectionId }
}

function locateInSpace([spaceId, ...rest]: string[]): UrlLocation | undefined {
  if (spaceId === undefined) return undefined
  const [mark, area, id, ...below] = rest
  if (mark !== '~' || (area !== 'revisions' && area !== 'changes')) return withPage({ kind: 'space', spaceId }, rest)
  if (id === undefined) return undefined
  return withPage({ kind: 'space', spaceId, [area === 'revisions' ? 'revisionId' : 'changeRequestId']: id }, below)
}

function withPage(location: UrlLocation & { kind: 'space' }, segments: string[]): UrlLocation | undefined {
  if (segments.length === 0) return location
  if (segments[0] !== '~') return { ...location, page: { path: segments.join('/') } }
  const [, area, id, ...rest] = segments
  return area === 'pages' && id !== undefined && rest.length === 0 ? { ...location, page: { id } } : undefined
}

/** The decoded segments of a URL's path below a base, without a slash at the end; undefined when it is not below it or not well-formed. */
function segmentsBelow(url: string, base: string): string[] | undefined {
  if (!URL.canParse(url)) return undefined
  const address = new URL(url)
  const own = new URL(base)
  const root = own.pathname.replace(/\/$/, '')
  if (address.origin !== own.origin || !address.pathname.startsWith(`${root}/`)) return undefined
  const encodedParts = address.pathname
    .slice(root.length + 1)
    .replace(/\/$/, '')
    .split('/')
  const parts = encodedParts.map(decodeUriComponent).filter(part => part !== undefined)
  return parts.length === encodedParts.length ? parts : undefined
}
