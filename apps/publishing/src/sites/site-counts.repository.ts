import { type Db, query } from '@recto/database'
import { seenByViewer, type SiteViewer, viewerValues } from './sites.repository.ts'

/** A site that a viewer sees, and whether all members do. */
export interface CountedSite {
  id: string
  isOpen: boolean
}

/** The sites that a viewer sees. */
export async function listSeen(db: Db, viewer: SiteViewer): Promise<CountedSite[]> {
  return query<CountedSite>(
    db,
    `select id, default_level is not null as "isOpen" from sites where organization_id = $1 and ${seenByViewer}`,
    viewerValues(viewer),
  )
}
