/** Seconds for which a cache in front of the reader, an edge, may keep what is for everybody; nothing is kept with an age of 0. */
export interface EdgeTimes {
  age: number
  /** After its age, while the reader fails. */
  stale: number
}

/** An answer with the parts of its request by which an edge may keep it. */
export interface EdgeCase {
  method: string
  status: number
  headers: Readonly<Record<string, string | undefined>>
  /** The host that the answer was made for. */
  host: string
  prefersMarkdown: boolean
  /** The `Cache-Control` of the answer. */
  cacheControl: string
  setsCookies: boolean
  /** Whether it is from the API, and not from disk in an outage: that is of before a purge. */
  isCurrent: boolean
  /** Whether every visitor sees the same of the site. */
  isForEverybody: boolean
}

/** Seconds after its age for which an answer shows once more while the next one is asked for. */
const revalidation = 60
/** Bytes of a header of tags: a Varnish with its defaults takes 8 kB of a header, Fastly and Cloudflare 16 kB. */
const maxTagBytes = 4_096
/** Cookies of the reader. */
const ownCookie = /(?:^|;)\s*(?:__Host-)?recto-/
const plainHost = /^[a-z0-9.-]+(?::\d+)?$/i

/**
 * Whether an edge may keep an answer, by itself: that of a site for everybody, asked for by nobody in particular. The host is the one that
 * the edge knows the answer by; said by another header it could be anybody's. Of one address an edge keeps one form, as not all obey `Vary`.
 */
export function isKeptByEdges(times: EdgeTimes, answer: EdgeCase): boolean {
  const { headers, host, cacheControl } = answer
  const isAnonymous = !ownCookie.test(headers.cookie ?? '') && headers.authorization === undefined
  return (
    times.age > 0 &&
    answer.isForEverybody &&
    answer.isCurrent &&
    isAnonymous &&
    ['GET', 'HEAD'].includes(answer.method) &&
    answer.status === 200 &&
    /^public\b/.test(cacheControl) &&
    !answer.setsCookies &&
    !answer.prefersMarkdown &&
    plainHost.test(host) &&
    headers.host === host
  )
}

/**
 * The headers by which edges keep an answer, and browsers do not see another one (RFC 9213 and the older `Surrogate-Control`), with its tags:
 * one purge of any of them drops it. `Vary` keeps it from whom it is not for at an edge that was told nothing else.
 */
export function keptHeaders(
  { age, stale }: EdgeTimes,
  { tags, vary }: { tags: readonly string[]; vary: string | undefined },
): Record<string, string> {
  const control = `max-age=${age}, stale-while-revalidate=${Math.min(revalidation, stale)}, stale-if-error=${stale}`
  return {
    'surrogate-control': control,
    'cdn-cache-control': control,
    'surrogate-key': tags.join(' '),
    'cache-tag': tags.join(','),
    vary: [vary, 'Cookie', 'X-Forwarded-Proto'].filter(Boolean).join(', '),
  }
}

/** The headers of any other answer of a site, where there are edges. */
export const refusedHeaders: Readonly<Record<string, string>> = {
  'surrogate-control': 'no-store',
  'cdn-cache-control': 'no-store',
}

/**
 * The tags of what a site shows: `recto` of everything, so that an upgrade of the reader is one purge; the organization, whose specifications
 * pages show; the site; and its spaces, the open one first, as many as there is room for: each change of one purges the site, too.
 */
export function edgeTags({
  organization,
  site,
  spaces,
}: {
  organization: string
  site: string
  spaces: readonly string[]
}): string[] {
  const tags = ['recto', `organization:${organization}`, `site:${site}`]
  let bytes = tags.join(' ').length
  for (const space of new Set(spaces)) {
    const tag = `space:${space}`
    bytes += tag.length + 1
    if (bytes > maxTagBytes) break
    tags.push(tag)
  }
  return tags
}
