import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Localized } from './section.entity.ts'

/** A link in the navigation of a site, beside its sections. */
export interface ExternalLinkRow {
  id: string
  siteId: string
  title: string
  localizedTitle: Localized | null
  description: string | null
  localizedDescription: Localized | null
  icon: string | null
  url: string
  condition: string | null
  /** The group it is in; null at the top of the site. */
  groupId: string | null
  /** Fractional index among its siblings, compared by code unit. */
  position: string
  /** Whether visitors do not see it yet. */
  draft: boolean
  createdAt: Date
}

export const ExternalLinkEntity = new EntitySchema<ExternalLinkRow>({
  name: 'SiteExternalLink',
  tableName: 'site_external_links',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    title: { type: 'text' },
    localizedTitle: { type: 'jsonb', name: 'localized_title', nullable: true },
    description: { type: 'text', nullable: true },
    localizedDescription: { type: 'jsonb', name: 'localized_description', nullable: true },
    icon: { type: 'text', nullable: true },
    url: { type: 'text' },
    condition: { type: 'text', nullable: true },
    groupId: { type: 'text', name: 'group_id', nullable: true },
    position: { type: 'text' },
    draft: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<ExternalLinkRow>,
})
