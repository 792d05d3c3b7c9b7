import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A text in other languages than its own, by language. */
export type Localized = Partial<Record<string, string>>

/** A section of a site. */
export interface SectionRow {
  id: string
  siteId: string
  title: string
  localizedTitle: Localized | null
  description: string | null
  localizedDescription: Localized | null
  path: string
  condition: string | null
  icon: string | null
  /** The group it is in; null at the top of the site. */
  groupId: string | null
  /** Fractional index among its sibling sections and groups, compared by code unit. */
  position: string
  isDefault: boolean
  /** Whether visitors do not see it yet. */
  draft: boolean
  createdAt: Date
}

export const SectionEntity = new EntitySchema<SectionRow>({
  name: 'SiteSection',
  tableName: 'site_sections',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    title: { type: 'text' },
    localizedTitle: { type: 'jsonb', name: 'localized_title', nullable: true },
    description: { type: 'text', nullable: true },
    localizedDescription: { type: 'jsonb', name: 'localized_description', nullable: true },
    path: { type: 'text' },
    condition: { type: 'text', nullable: true },
    icon: { type: 'text', nullable: true },
    groupId: { type: 'text', name: 'group_id', nullable: true },
    position: { type: 'text' },
    isDefault: { type: 'boolean', name: 'is_default' },
    draft: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<SectionRow>,
})
