import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface MemberRow {
  organizationId: string
  userId: string
  role: string | null
  disabled: boolean
  joinedAt: Date
  lastSeenAt: Date | null
  sso: boolean
}

export const MemberEntity = new EntitySchema<MemberRow>({
  name: 'Member',
  tableName: 'members',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    role: { type: 'text', nullable: true },
    disabled: { type: 'boolean' },
    joinedAt: { type: 'timestamptz', precision: 3, name: 'joined_at' },
    lastSeenAt: { type: 'timestamptz', precision: 3, name: 'last_seen_at', nullable: true },
    sso: { type: 'boolean' },
  } satisfies EntityColumns<MemberRow>,
})
