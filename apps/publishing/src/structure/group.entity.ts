import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Localized } from './section.entity.ts'

/** A group of sections, or of groups, of a site. */
export interface GroupRow {
  id: string
  siteId: string
  title: string
  localizedTitle: Localized | null
  icon: string | null
  /** The group it is in; null at the top of the site. */
  groupId: string | null
  /** Fractional index among its sibling sections and groups, compared by code unit. */
  position: string
  /** Whether visitors see nothing of what is in it yet. */
  draft: boolean
  createdAt: Date
}

export const GroupEntity = new EntitySchema<GroupRow>({
  name: 'SiteSectionGroup',
  tableName: 'site_section_groups',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    title: { type: 'text' },
    localizedTitle: { type: 'jsonb', name: 'localized_title', nullable: true },
    icon: { type: 'text', nullable: true },
    groupId: { type: 'text', name: 'group_id', nullable: true },
    position: { type: 'text' },
    draft: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<GroupRow>,
})
