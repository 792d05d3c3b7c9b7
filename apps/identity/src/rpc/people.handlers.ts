import { peopleCalls } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context'
import { describeTeams } from '../members/present-teams'
import * as teams from '../members/teams.repository'
import { presentUser } from '../users/present-user'
import * as repository from '../members/people.repository'

export const peopleFeature = feature<BaseContext>()(peopleCalls, {
  async describePeople({ body: { actor, organization, users, teams: ids } }, { db, publicUrl }) {
    const found = await repository.usersAmong(db, organization, users)
    const described = await describeTeams(db, { actor, organization }, await teams.among(db, organization, ids))
    return { users: found.map(user => presentUser(user, publicUrl)), teams: described }
  },

  async listMemberships({ body: { organization, users } }, { db }) {
    return { members: await repository.memberships(db, organization, users) }
  },
})
