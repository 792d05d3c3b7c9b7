import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** How far the projections of a space's main content have come; null when nothing has been projected. */
export interface MainProjectionRow {
  spaceId: string
  revision: string | null
}

export const MainProjectionEntity = new EntitySchema<MainProjectionRow>({
  name: 'MainProjection',
  tableName: 'main_projections',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    revision: { type: 'text', nullable: true },
  } satisfies EntityColumns<MainProjectionRow>,
})
