import { fileCacheControl, fontCacheControl } from '../responses/caching.rules.ts'
import { filePolicy } from '../responses/security.rules.ts'

/** Types that a browser may show; any other file is downloaded, so that nothing of an author runs at the site's address. */
const shownTypes = /^(?:image\/[\w.+-]+|video\/[\w.+-]+|audio\/[\w.+-]+|application\/pdf|text\/plain)$/
const passedOn = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'content-disposition',
] as const

/** The headers of a file, by those that the API, or the store it leads to, has answered with. */
export function fileHeaders(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  isForEverybody: boolean,
): Record<string, string> {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  // A reply of 304 without a type leaves the browser the one that it has.
  const isShown = type === undefined ? status === 304 : shownTypes.test(type)
  const caching = fileCacheControl(isForEverybody)
  return {
    ...keptHeaders(headers),
    // Without its type, no page can load it as a script or a style either.
    ...(!isShown && { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }),
    'content-security-policy': filePolicy,
    'cross-origin-resource-policy': 'same-origin',
    // A part of a file is counted in its own bytes, so nothing on the way may compress it.
    'cache-control': status === 206 ? `${caching}, no-transform` : caching,
  }
}

/** The headers of the file of a font, whatever type the API, or the store it leads to, says. */
export function fontHeaders(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { format, isForEverybody }: { format: 'woff2' | 'woff'; isForEverybody: boolean },
): Record<string, string> {
  const { 'content-disposition': _disposition, ...others } = keptHeaders(headers)
  return {
    ...others,
    'content-type': `font/${format}`,
    'content-security-policy': filePolicy,
    'cross-origin-resource-policy': 'same-origin',
    // A failure is asked for again.
    'cache-control': status < 400 ? fontCacheControl(isForEverybody) : 'no-store',
  }
}

function keptHeaders(headers: Headers): Record<string, string> {
  const entries = passedOn.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}
