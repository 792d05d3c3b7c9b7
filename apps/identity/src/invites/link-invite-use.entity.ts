import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface LinkInviteUseRow {
  inviteId: string
  userId: string
  usedAt: Date
}

export const LinkInviteUseEntity = new EntitySchema<LinkInviteUseRow>({
  name: 'LinkInviteUse',
  tableName: 'link_invite_uses',
  columns: {
    inviteId: { type: 'text', primary: true, name: 'invite_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    usedAt: { type: 'timestamptz', precision: 3, name: 'used_at' },
  } satisfies EntityColumns<LinkInviteUseRow>,
})
