import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { behindShareLink } from './publication.rules.ts'
import type { Publication, SpaceRow } from '../resources/space.entity.ts'
import { findPublication } from './publications.repository.ts'

/**
 * The publication of a space for a caller: for visitors on their own site, for members on the most open one, and with the key of a share
 * link on its site. Throws `not_found` unless the key is of an active link to a site that shows the space.
 */
export async function seenPublication(
  { db, publishing, actor: { visitor } }: Pick<Context, 'db' | 'publishing' | 'actor'>,
  { id: space, organizationId: organization, publication }: SpaceRow,
  key: string | undefined,
): Promise<Publication | null> {
  const own = visitor ? await findPublication(db, visitor.site, space) : publication
  if (key === undefined) return own
  const { site } = await publishing.findShareLink({ body: { organization, space, key, site: visitor?.site } })
  if (site === undefined) throw new Failure('not_found', 'There is no such share link')
  const place = await findPublication(db, site, space)
  return place?.visibility === 'share-link' ? behindShareLink(place, { address: place.address, shareKey: key }) : own
}
