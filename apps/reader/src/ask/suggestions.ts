import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ApiClient } from '../api/api-client.ts'
import type { RecommendedQuestion } from '../api/types.ts'
import type { OpenedSite } from '../loaders/open-site.ts'

/** The site and the visitor for whom questions are read. */
export interface SuggestionRequest {
  site: Pick<OpenedSite, 'lookup' | 'siteSpace'>
  api: Pick<ApiClient, 'events'>
  /** Whether the visitor may ask the API once more, which can cost a question. */
  mayRead(): boolean
}

/** Questions to begin with, as the API recommends them to a visitor; none where it has none in time. */
export type ReadSuggestions = (request: SuggestionRequest) => Promise<readonly string[]>

/** Milliseconds for which a page waits; the questions that come later are for the next one. */
const maxWaitMs = 1_500
/** Milliseconds for which the API may write questions. */
const timeout = 60_000
/** Milliseconds for which questions are kept: no longer than the token that they were read with. */
const keepMs = 10 * 60_000
const maxKept = 1_000
/** Questions that a page shows. */
const maxQuestions = 8

/** Creates the reading of questions to begin with: once for all who see the same, since an engine may write them. */
export function createSuggestions(): ReadSuggestions {
  const cache = new LRUCache<string, Promise<readonly string[]>>({ max: maxKept, ttl: keepMs })
  return async ({ site, api, mayRead }) => {
    const key = JSON.stringify([site.lookup.apiToken, site.siteSpace.id])
    let suggestions = cache.get(key)
    if (!suggestions) {
      if (!mayRead()) return []
      suggestions = read({ site, api })
      cache.set(key, suggestions)
    }
    return Promise.race([suggestions, delay(maxWaitMs, [], { ref: false })])
  }
}

/** Reads them; a failure is kept as none are, since a page must not cost an attempt each time. */
async function read({ site: { lookup }, api }: Pick<SuggestionRequest, 'site' | 'api'>): Promise<readonly string[]> {
  const { organization, site, siteSpace, apiToken: token } = lookup
  const questions: string[] = []
  const request = { path: `/orgs/${organization}/sites/${site}/ask/questions`, query: { siteSpaceId: siteSpace } }
  try {
    for await (const { question } of api.events<RecommendedQuestion>({ ...request, token, timeout }))
      questions.push(question)
  } catch {
    return []
  }
  return questions.slice(0, maxQuestions)
}
