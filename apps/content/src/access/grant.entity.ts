import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

/** The kind of resource that roles are granted on. */
export type ResourceType = 'space' | 'collection'

/** A role of a user or a team on a resource; it takes precedence over the resource's default level. */
export interface GrantRow {
  resourceType: ResourceType
  resourceId: string
  organizationId: string
  subject: 'user' | 'team'
  subjectId: string
  role: Role
  createdAt: Date
}

/** A user or a team. */
export type Subject = Pick<GrantRow, 'subject' | 'subjectId'>

export const GrantEntity = new EntitySchema<GrantRow>({
  name: 'Grant',
  tableName: 'grants',
  columns: {
    resourceType: { type: 'text', primary: true, name: 'resource_type' },
    resourceId: { type: 'text', primary: true, name: 'resource_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    subject: { type: 'text', primary: true },
    subjectId: { type: 'text', primary: true, name: 'subject_id' },
    role: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<GrantRow>,
})
