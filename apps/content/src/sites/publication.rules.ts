import { siteVisibilities } from '@recto/contracts-shared'
import type { Publication } from '../resources/space.entity.ts'

/** A publication with the key of a share link: the key is the first segment on the site with the root `address`. Sites of other kinds have no share links. */
export function behindShareLink(
  { visibility, url }: Publication,
  { address, shareKey }: { address: string; shareKey: string },
): Publication {
  const isBelow = visibility === 'share-link' && address !== '' && url.startsWith(address)
  return { visibility, url: isBelow ? `${address}${encodeURIComponent(shareKey)}/${url.slice(address.length)}` : url }
}

/** The most open of some publications of a space, the first of those that are equally open; null without any. */
export function mostPublic(publications: Publication[]): Publication | null {
  const openness = ({ visibility }: Publication) => siteVisibilities.indexOf(visibility)
  return publications.reduce<Publication | null>(
    (best, one) => (best === null || openness(one) > openness(best) ? one : best),
    null,
  )
}

/** The fields of a space that its publication decides; a space that no site publishes is in its collection or private. */
export function publishedFields(publication: Publication | null, parent: string | null) {
  if (!publication) return { visibility: parent === null ? ('private' as const) : ('in-collection' as const) }
  const { visibility } = publication
  return { visibility, ...(visibility === 'visitor-auth' && { visitorAuth: { backend: 'custom' as const } }) }
}

/** The published URLs of a space, or of a revision of it. */
export function publishedUrls(publication: Publication | null) {
  if (!publication) return {}
  const { visibility, url } = publication
  return { published: url, ...(visibility === 'public' && { public: url }) }
}
