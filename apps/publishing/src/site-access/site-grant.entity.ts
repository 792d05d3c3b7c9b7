import type { Role } from '@recto/actor'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A role of a user or a team on a site; it takes precedence over the default level of the site. */
export interface SiteGrantRow {
  siteId: string
  organizationId: string
  subject: 'user' | 'team'
  subjectId: string
  role: Role
  createdAt: Date
}

/** A user or a team. */
export type Subject = Pick<SiteGrantRow, 'subject' | 'subjectId'>

export const SiteGrantEntity = new EntitySchema<SiteGrantRow>({
  name: 'SiteGrant',
  tableName: 'site_grants',
  columns: {
    siteId: { type: 'text', primary: true, name: 'site_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    subject: { type: 'text', primary: true },
    subjectId: { type: 'text', primary: true, name: 'subject_id' },
    role: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<SiteGrantRow>,
})
