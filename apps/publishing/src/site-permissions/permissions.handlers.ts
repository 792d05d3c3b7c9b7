import { sitePermissions } from '@recto/contracts-publishing'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { Subject } from '../site-access/site-grant.entity.ts'
import { aggregate } from './aggregate.ts'
import { withTeams, withUsers } from './people.ts'
import { change, invite, listGrants, remove } from './permissions.ts'

const user = (subjectId: string): { subject: Subject } => ({ subject: { subject: 'user', subjectId } })
const team = (subjectId: string): { subject: Subject } => ({ subject: { subject: 'team', subjectId } })

export const sitePermissionFeature = feature<BaseContext>()(sitePermissions, {
  inviteToSite: ({ params, body }, context) => invite(params, body, context),

  async listUserPermissionsInSite({ params, query }, context) {
    const { page, organization } = await listGrants(params, { ...query, subject: 'user' }, context)
    return { ...page, items: await withUsers(context, organization, page.items) }
  },

  updateUserPermissionInSite: ({ params: { userId, ...params }, body }, context) =>
    change({ ...params, ...user(userId) }, body, context),

  removeUserFromSite: ({ params: { userId, ...params } }, context) => remove({ ...params, ...user(userId) }, context),

  async listTeamPermissionsInSite({ params, query }, context) {
    const { page, organization } = await listGrants(params, { ...query, subject: 'team' }, context)
    return { ...page, items: await withTeams(context, organization, page.items) }
  },

  updateTeamPermissionInSite: ({ params: { teamId, ...params }, body }, context) =>
    change({ ...params, ...team(teamId) }, body, context),

  removeTeamFromSite: ({ params: { teamId, ...params } }, context) => remove({ ...params, ...team(teamId) }, context),

  listPermissionsAggregateInSite: aggregate,
})
