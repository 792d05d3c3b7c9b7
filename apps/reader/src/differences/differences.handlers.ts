import { decodeUriComponent } from '@recto/text'
import { ApiFailure } from '../api/api-client.ts'
import type { Differences, PageDifference } from '../api/types.ts'
import { renderDifference, renderDifferences, type DifferenceLinks } from '../layout/differences-page.tsx'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { bodyPlace } from '../layout/view.ts'
import { readComments } from '../loaders/read-comments.ts'
import { readComparedBody } from '../loaders/read-compared-body.ts'
import { hasDifferences, readDifferences, readPageDifference } from '../loaders/read-differences.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { textAnswer, type PageResponse } from '../responses/page-response.ts'

const path = /^~recto\/changes(?:\/([^/]+))?$/

/** The changes of a preview, at `~recto/changes` and, for a page, at `~recto/changes/<page>`; `since` names another revision to compare with. */
export const differencesFeature: SiteFeature = (request, tools) => {
  const match = path.exec(request.site.path)
  return match ? answerDifferences(match[1], request, tools) : undefined
}

async function answerDifferences(
  pageId: string | undefined,
  request: SiteRequest,
  tools: SiteTools,
): Promise<PageResponse> {
  const { site, query, view } = request
  if (!hasDifferences(site)) throw new ApiFailure(404, 'Only previews have changes')
  const compared = { site, reads: tools.reads, since: query.get('since') ?? undefined }
  const cursor = query.get('page') ?? undefined
  const differences = await readDifferences(compared, pageId === undefined ? cursor : undefined)
  const links = linksOf(differences, request)
  const headers = { 'cache-control': pageCaching(false), 'x-robots-tag': 'noindex' }
  if (pageId === undefined) {
    const comments = await readComments(site, tools)
    return textAnswer('text/html', renderDifferences(view, { differences, comments }, links), headers)
  }
  const change = await readPageDifference(compared, decodeUriComponent(pageId) ?? pageId)
  const difference = await withBody(change, request, tools)
  const neighbours = neighboursOf(change.page.id, differences)
  return textAnswer('text/html', renderDifference(view, { ...difference, change, neighbours }, links), headers)
}

/** The text of a page with its differences, and the comments on it. */
async function withBody(change: PageDifference, { site, view }: SiteRequest, { api, reads, bodies }: SiteTools) {
  const comments = await readComments(site, { api, targetPage: change.page.id })
  const place = { ...bodyPlace(view), reads, bodies, comments: comments?.items ?? [] }
  return { ...(await readComparedBody(change, place)), hasMoreComments: comments?.next !== undefined }
}

function neighboursOf(id: string, { items }: Differences) {
  const at = items.findIndex(({ page }) => page.id === id)
  return at === -1 ? {} : { before: items[at - 1], after: items[at + 1] }
}

function linksOf({ before, next }: Differences, { site, query }: SiteRequest): DifferenceLinks {
  const { own } = site.links
  const since = query.get('since')
  const withQuery = (address: string, page?: string) => {
    const params = new URLSearchParams({ ...(since !== null && { since }), ...(page !== undefined && { page }) })
    return params.size === 0 ? address : `${address}?${params.toString()}`
  }
  const all = `${own}changes`
  return {
    all: withQuery(all),
    ofPage: id => withQuery(`${all}/${encodeURIComponent(id)}`),
    more: next && withQuery(all, next.page),
    ofFile: ({ id, name }, side) => {
      const revision = side === 'before' && before ? `revisions/${encodeURIComponent(before.revision)}/` : ''
      return `${own}${revision}files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
    },
  }
}
