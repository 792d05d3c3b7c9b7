import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

/** A role that a user or a team holds on an object, whatever the object's default. */
export interface GrantRow {
  object: 'space' | 'collection'
  objectId: string
  organizationId: string
  subject: 'user' | 'team'
  subjectId: string
  role: Role
  createdAt: Date
}

export const GrantEntity = new EntitySchema<GrantRow>({
  name: 'Grant',
  tableName: 'grants',
  columns: {
    object: { type: 'text', primary: true },
    objectId: { type: 'text', primary: true, name: 'object_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    subject: { type: 'text', primary: true },
    subjectId: { type: 'text', primary: true, name: 'subject_id' },
    role: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<GrantRow>,
})
