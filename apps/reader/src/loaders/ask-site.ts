import type { ApiClient } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { AnswerEvent, AnswerSource, DocumentPage, SiteSpace } from '../api/types.ts'
import { siteSpaceOf, type OpenedSite } from './open-site.ts'

/** A question to a site, and the form of its answer. */
export interface SiteQuestion {
  question: string
  format: 'document' | 'markdown'
  signal: AbortSignal
  /** Milliseconds for the answer. */
  timeout: number
}

/**
 * Asks the API with the token of the visitor: each answer is whole so far, the last one has its end. Throws as the API refuses, and where
 * the answer breaks off.
 */
export function askSite(
  { question, format, signal, timeout }: SiteQuestion,
  { site, api }: { site: Pick<OpenedSite, 'lookup'>; api: Pick<ApiClient, 'events'> },
): AsyncGenerator<AnswerEvent, void> {
  const { organization, site: siteId, siteSpace, apiToken: token } = site.lookup
  return api.events<AnswerEvent>({
    method: 'POST',
    path: `/orgs/${organization}/sites/${siteId}/ask`,
    query: { format },
    body: { question, scope: { mode: 'default', currentSiteSpace: siteSpace } },
    token,
    signal,
    timeout,
  })
}

/** The page of a source of an answer, with the space that shows it; undefined where the visitor does not see it any more. */
export async function readSourcePage(
  { space, revision, page: id }: AnswerSource,
  { site, reads }: { site: OpenedSite; reads: Pick<Reads, 'immutable'> },
): Promise<{ siteSpace: SiteSpace; page: DocumentPage } | undefined> {
  const siteSpace = siteSpaceOf(space, site)
  if (!siteSpace) return undefined
  const path = `/spaces/${space}/revisions/${revision}/page/${id}`
  try {
    const page = await reads.immutable<DocumentPage>({
      path,
      query: { format: 'document' },
      token: site.lookup.apiToken,
    })
    return { siteSpace, page }
  } catch {
    return undefined
  }
}
