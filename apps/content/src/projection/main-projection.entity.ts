import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The revisions that the projections of a space show; null when nothing has been projected. */
export interface MainProjectionRow {
  spaceId: string
  revision: string | null
  /** Whether there are visitors who do not see all pages of that revision. */
  hasConditions: boolean
  /** The revision of main content up to which former paths are recorded; null when none are. */
  pathsRevision: string | null
}

export const MainProjectionEntity = new EntitySchema<MainProjectionRow>({
  name: 'MainProjection',
  tableName: 'main_projections',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    revision: { type: 'text', nullable: true },
    hasConditions: { type: 'boolean', name: 'has_conditions', default: true },
    pathsRevision: { type: 'text', name: 'paths_revision', nullable: true },
  } satisfies EntityColumns<MainProjectionRow>,
})
