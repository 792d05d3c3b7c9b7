import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

/** An e-mail that becomes a member as soon as a user has it. */
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
