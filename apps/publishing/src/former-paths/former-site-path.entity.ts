import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A path below a site that a section or space of it had before; of several that had it, the last one. */
export interface FormerSitePathRow {
  siteId: string
  /** Its parts, joined by `/`. */
  path: string
  kind: 'site-section' | 'site-space'
  targetId: string
  droppedAt: Date
}

export const FormerSitePathEntity = new EntitySchema<FormerSitePathRow>({
  name: 'FormerSitePath',
  tableName: 'site_former_paths',
  columns: {
    siteId: { type: 'text', primary: true, name: 'site_id' },
    path: { type: 'text', primary: true },
    kind: { type: 'text' },
    targetId: { type: 'text', name: 'target_id' },
    droppedAt: { type: 'timestamptz', precision: 3, name: 'dropped_at' },
  } satisfies EntityColumns<FormerSitePathRow>,
})
