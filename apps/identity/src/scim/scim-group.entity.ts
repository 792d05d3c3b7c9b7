import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Attributes } from './attributes.rules.ts'

export interface ScimGroupRow {
  organizationId: string
  teamId: string
  externalId: string | null
  attributes: Attributes
  updatedAt: Date
}

export const ScimGroupEntity = new EntitySchema<ScimGroupRow>({
  name: 'ScimGroup',
  tableName: 'scim_groups',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    teamId: { type: 'text', primary: true, name: 'team_id' },
    externalId: { type: 'text', name: 'external_id', nullable: true },
    attributes: { type: 'jsonb' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<ScimGroupRow>,
})
