import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

/** An invite by email whose user becomes a member as soon as they exist. */
export interface PendingInviteRow {
  id: string
  organizationId: string
  email: string
  role: Role | null
  sso: boolean
  createdAt: Date
}

export const PendingInviteEntity = new EntitySchema<PendingInviteRow>({
  name: 'PendingInvite',
  tableName: 'pending_invites',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    email: { type: 'text' },
    role: { type: 'text', nullable: true },
    sso: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<PendingInviteRow>,
})
