import type { Reads } from '../api/reads.ts'
import type { ContentChanges } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'

/** The part of the changes of a space that is read. */
export interface ChangesPart {
  /** The revision that the caller has. */
  since: string
  /** The cursor of the part before, if this is not the first. */
  page?: string | undefined
}

/** Reads what changed in a space of a site since a revision, as the visitor sees it; the API answers 404 for what was never its main content. */
export function readChanges(
  { space, lookup }: OpenedSite,
  { since, page }: ChangesPart,
  reads: Pick<Reads, 'fresh'>,
): Promise<ContentChanges> {
  return reads.fresh<ContentChanges>({
    path: `/spaces/${space.id}/content/changes`,
    query: { since, limit: '100', ...(page !== undefined && { page }) },
    token: lookup.apiToken,
  })
}
