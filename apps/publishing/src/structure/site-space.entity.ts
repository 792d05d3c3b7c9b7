import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Localized } from './section.entity.ts'

/** A space on a site. */
export interface SiteSpaceRow {
  id: string
  siteId: string
  /** The section it is a variant of; null on a site without sections. */
  sectionId: string | null
  spaceId: string
  /** Its title on this site; null: that of the space. */
  title: string | null
  localizedTitle: Localized | null
  path: string
  condition: string | null
  /** The page at its root, instead of its first one. */
  pageId: string | null
  /** Whether the navigation leaves it out. */
  hidden: boolean
  /** Whether visitors do not see it yet. */
  draft: boolean
  /** Fractional index among the spaces of its section or site, compared by code unit. */
  position: string
  isDefault: boolean
  /** Whether its space is deleted and can be restored: it is not shown meanwhile. */
  isDeleted: boolean
  /** When that changed last. */
  deletionChangedAt: Date | null
  createdAt: Date
}

export const SiteSpaceEntity = new EntitySchema<SiteSpaceRow>({
  name: 'SiteSpace',
  tableName: 'site_spaces',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    sectionId: { type: 'text', name: 'section_id', nullable: true },
    spaceId: { type: 'text', name: 'space_id' },
    title: { type: 'text', nullable: true },
    localizedTitle: { type: 'jsonb', name: 'localized_title', nullable: true },
    path: { type: 'text' },
    condition: { type: 'text', nullable: true },
    pageId: { type: 'text', name: 'page_id', nullable: true },
    hidden: { type: 'boolean' },
    draft: { type: 'boolean' },
    position: { type: 'text' },
    isDefault: { type: 'boolean', name: 'is_default' },
    isDeleted: { type: 'boolean', name: 'is_deleted' },
    deletionChangedAt: { type: 'timestamptz', precision: 3, name: 'deletion_changed_at', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<SiteSpaceRow>,
})
