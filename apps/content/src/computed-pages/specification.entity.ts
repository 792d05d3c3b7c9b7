import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { SpecOutline } from './computed-text.rules.ts'

/** The last version of a specification, with the outline that pages are computed from. */
export interface SpecificationRow {
  organizationId: string
  slug: string
  version: string
  outline: SpecOutline
}

export const SpecificationEntity = new EntitySchema<SpecificationRow>({
  name: 'Specification',
  tableName: 'specifications',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    slug: { type: 'text', primary: true },
    version: { type: 'text' },
    outline: { type: 'jsonb' },
  } satisfies EntityColumns<SpecificationRow>,
})
