import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

/** An invite by link; `role` is the role in the organization, or the level on the space or collection if set. */
export interface LinkInviteRow {
  id: string
  organizationId: string
  role: Role | null
  space: string | null
  collection: string | null
  createdAt: Date
}

export const LinkInviteEntity = new EntitySchema<LinkInviteRow>({
  name: 'LinkInvite',
  tableName: 'link_invites',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    role: { type: 'text', nullable: true },
    space: { type: 'text', nullable: true },
    collection: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<LinkInviteRow>,
})
