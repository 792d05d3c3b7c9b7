import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { TeamRole } from '../teams/team-member.entity.ts'

/** A team that a pending invite adds its user to. */
export interface PendingTeamMemberRow {
  inviteId: string
  teamId: string
  role: TeamRole
}

export const PendingTeamMemberEntity = new EntitySchema<PendingTeamMemberRow>({
  name: 'PendingTeamMember',
  tableName: 'pending_team_members',
  columns: {
    inviteId: { type: 'text', primary: true, name: 'invite_id' },
    teamId: { type: 'text', primary: true, name: 'team_id' },
    role: { type: 'text' },
  } satisfies EntityColumns<PendingTeamMemberRow>,
})
