/** The tag of everything that a reader keeps of a site. */
export const siteTag = (id: string): string => `site:${id}`

/** The tag of everything that a reader keeps of the main content of a space. */
export const spaceTag = (id: string): string => `space:${id}`

/** The tag of what a reader keeps of an OpenAPI specification. */
export const specTag = (organization: string, slug: string): string => `organization:${organization}:openapi:${slug}`

/** The outcome of a request to a reader: it purged, somebody has to act, or it is tried again later. */
export type PurgeOutcome = 'purged' | 'refused' | 'failed'

/** The meaning of a reader's answer. An answer that will be the same next time needs somebody who acts. */
export function outcomeOf(status: number): PurgeOutcome {
  if (status >= 200 && status < 300) return 'purged'
  return status >= 500 || [408, 425, 429].includes(status) ? 'failed' : 'refused'
}

/** Why a reader refuses a request, in words for who runs it. */
export function reasonOf(status: number): string {
  if (status === 401 || status === 403) return 'its secret is not READER_SECRET'
  if (status === 302) return 'READER_URL redirects: it must be where the reader is'
  return status === 404 ? 'there is no reader at READER_URL' : `it answers with status ${status}`
}
