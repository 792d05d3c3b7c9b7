import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Attributes } from './attributes.rules.ts'

export interface ScimUserRow {
  organizationId: string
  userId: string
  userName: string
  externalId: string | null
  /** All e-mails of the attributes, in lower case. */
  emails: string[]
  attributes: Attributes
  updatedAt: Date
}

export const ScimUserEntity = new EntitySchema<ScimUserRow>({
  name: 'ScimUser',
  tableName: 'scim_users',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    userName: { type: 'text', name: 'user_name' },
    externalId: { type: 'text', name: 'external_id', nullable: true },
    emails: { type: 'text', array: true },
    attributes: { type: 'jsonb' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<ScimUserRow>,
})
