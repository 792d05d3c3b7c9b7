import { hashToken, type Actor } from '@recto/actor'
import { looksLikeVisitorToken, visitorActor } from '@recto/actor/visitor-token'
import { includesScope } from '@recto/contracts-shared'
import type { PathPreview, ResolvedPreview, Resolved } from '../published-sites/resolve-path.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import { leadsNowhere } from '../published-sites/leads-nowhere.ts'
import { bearerOf, type SiteAtUrl } from './find-site-at-url.ts'

/** Where a path leads, and the token of whoever opened it. */
interface PreviewPath {
  siteAtUrl: SiteAtUrl
  resolved: Resolved
  authorization: string | undefined
}

/**
 * The change request or revision that a path previews, by its id; empty for a path without a preview, which costs no call. Throws
 * `not_found` where there is none, or the caller may not know: an active change request is previewed by its id by all; by its number, others,
 * and revisions, by those only who could read the space with a token of their own, or preview the site with it. A pull request is previewed
 * by its key: by all where it is open to all, else by the same readers. The revision that it began from is told to those only who preview the
 * site with a right of their own: what the site showed before is not for others.
 */
export async function resolvePreview(
  { siteAtUrl, resolved: { preview: pathPreview, siteSpace }, authorization }: PreviewPath,
  { content, identity, gitWorker }: Pick<BaseContext, 'content' | 'identity' | 'gitWorker'>,
): Promise<ResolvedPreview> {
  if (isEmpty(pathPreview)) return {}
  const { organizationId: organization, visibility } = siteAtUrl.visited.site
  const { pullRequest: key, ...idPreview } = pathPreview
  const pullRequest =
    key === undefined
      ? undefined
      : await gitWorker.findGitPreview({
          body: { spaceId: siteSpace.spaceId, key, isPublicSite: visibility === 'public' },
        })
  if (pullRequest && pullRequest.revision === undefined) throw leadsNowhere()
  const base = siteAtUrl.sitePreview && pullRequest?.base
  const details = pullRequest && { pullRequest: base === undefined ? {} : { base } }
  if (pullRequest?.isOpen) return { revision: pullRequest.revision, ...details }
  const preview = pullRequest ? { revision: pullRequest.revision } : idPreview
  const reader = previewerOf(siteAtUrl) ?? (await readerOf(authorization, identity))
  const existing = await content.resolvePreview({
    body: { organization, space: siteSpace.spaceId, reader, ...preview },
  })
  if (isEmpty(existing)) throw leadsNowhere()
  return { ...existing, ...details }
}

function isEmpty({ changeRequest, revision, pullRequest }: PathPreview): boolean {
  return changeRequest === undefined && revision === undefined && pullRequest === undefined
}

/** The visitor who previews a site, with the spaces that the maker of the preview can read. */
function previewerOf({ visited: { site }, sitePreview }: SiteAtUrl): Actor | undefined {
  if (!sitePreview) return undefined
  const { id, organizationId: organization, version } = site
  const { spaces, claims } = sitePreview
  return visitorActor({ organization, site: id, version, previews: true, spaces, claims })
}

/** The user whose token a request carries; visitors' tokens are nobody's own. */
async function readerOf(
  authorization: string | undefined,
  identity: BaseContext['identity'],
): Promise<Actor | undefined> {
  const token = bearerOf(authorization)
  if (token === undefined || looksLikeVisitorToken(token)) return undefined
  // Tokens that are limited to resources are not asked for: they make no previews either.
  const { actor } = await identity.resolveToken({ body: { hash: hashToken(token) } })
  // Where a reader asks from is not where its visitor is: a token that is bound to addresses opens no preview.
  return actor && !actor.allowedAddresses && includesScope(actor.scopes, 'space:read') ? actor : undefined
}
