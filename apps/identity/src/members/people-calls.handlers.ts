import { peopleCalls } from '@recto/contracts-identity-bus'
import { feature } from '@recto/operation'
import { describeOrganizations } from './describe-organizations.ts'
import * as members from './members.repository.ts'
import { presentMembers } from './present-members.ts'
import { describeTeams } from '../teams/present-teams.ts'
import { listMembersWithTeams, searchMembersWithTeams } from './members-of-teams.repository.ts'
import * as teams from '../teams/teams.repository.ts'
import * as repository from '../organizations/organizations.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { presentUserTo } from '../users/present-user.ts'

export const peopleCallsFeature = feature<BaseContext>()(peopleCalls, {
  async describePeople({ body: { actor, organization, users, teams: ids } }, { db, publicUrl }) {
    const viewer = { actor, publicUrl }
    const profiles = await members.findProfiles(db, organization, users)
    const described = await describeTeams(db, { actor, organization }, await teams.findByIds(db, organization, ids))
    return { users: profiles.map(profile => presentUserTo(viewer, organization, profile)), teams: described }
  },

  async describeMembers({ body: { actor, organization, users } }, context) {
    const rows = await members.findByUserIds(context.db, organization, users)
    return { members: await presentMembers({ ...context, actor }, organization, rows) }
  },

  async describeOrganizations({ body: { actor, organizations, hidesSettings } }, { db, publicUrl }) {
    const rows = await repository.findByIds(db, organizations)
    return {
      organizations: await describeOrganizations(db, { actor, publicUrl, forService: hidesSettings !== true }, rows),
    }
  },

  async listMemberships({ body: { organization, users } }, { db }) {
    return { members: await listMembersWithTeams(db, organization, users) }
  },

  async searchMemberships({ body: { organization, search } }, { db }) {
    const members = await searchMembersWithTeams(db, organization, search)
    return {
      members: members.map(({ joinedAt, lastSeenAt, ...member }) => ({
        ...member,
        joinedAt: joinedAt.toISOString(),
        ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
      })),
    }
  },
})
