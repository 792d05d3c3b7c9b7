import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Overrides } from './customization.rules.ts'

/** The settings of a space on a site that differ from those of the site. */
export interface SiteSpaceCustomizationRow {
  siteSpaceId: string
  siteId: string
  overrides: Overrides
  updatedAt: Date
}

export const SiteSpaceCustomizationEntity = new EntitySchema<SiteSpaceCustomizationRow>({
  name: 'SiteSpaceCustomization',
  tableName: 'site_space_customizations',
  columns: {
    siteSpaceId: { type: 'text', name: 'site_space_id', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    overrides: { type: 'jsonb' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<SiteSpaceCustomizationRow>,
})
