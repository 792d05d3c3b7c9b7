import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export type TeamRole = 'owner' | 'member'

export interface TeamMemberRow {
  teamId: string
  userId: string
  organizationId: string
  role: TeamRole
  addedAt: Date
}

export const TeamMemberEntity = new EntitySchema<TeamMemberRow>({
  name: 'TeamMember',
  tableName: 'team_members',
  columns: {
    teamId: { type: 'text', primary: true, name: 'team_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    role: { type: 'text' },
    addedAt: { type: 'timestamptz', precision: 3, name: 'added_at' },
  } satisfies EntityColumns<TeamMemberRow>,
})
