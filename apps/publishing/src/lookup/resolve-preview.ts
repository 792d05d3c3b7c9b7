import { hashToken, type Actor } from '@recto/actor'
import { looksLikeVisitorToken, visitorActor } from '@recto/actor/visitor-token'
import { allows } from '@recto/operation'
import type { Preview, Resolved } from '../published-sites/resolve-path.rules.ts'
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
 * and revisions, by those only who could read the space with a token of their own, or preview the site with it.
 */
export async function resolvePreview(
  { siteAtUrl, resolved: { preview, siteSpace }, authorization }: PreviewPath,
  { content, identity }: Pick<BaseContext, 'content' | 'identity'>,
): Promise<Preview> {
  if (isEmpty(preview)) return {}
  const { organizationId: organization } = siteAtUrl.visited.site
  const reader = previewerOf(siteAtUrl) ?? (await readerOf(authorization, identity))
  const existing = await content.resolvePreview({
    body: { organization, space: siteSpace.spaceId, reader, ...preview },
  })
  if (isEmpty(existing)) throw leadsNowhere()
  return existing
}

function isEmpty({ changeRequest, revision }: Preview): boolean {
  return changeRequest === undefined && revision === undefined
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
  const { actor } = await identity.resolveToken({ body: { hash: hashToken(token) } })
  return actor && allows(actor.scopes, 'read') ? actor : undefined
}
