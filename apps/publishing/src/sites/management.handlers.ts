import { siteManagement } from '@recto/contracts-publishing'
import { byKey, pageInMemory } from '@recto/database'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { readSite } from './update-site.ts'
import { canViewSites } from './sites.policy.ts'

const userKey = ({ user }: { user: string }): string[] => [user]

export const managementFeature = feature<BaseContext>()(siteManagement, {
  async listSiteIntegrationScripts({ params }, context) {
    await readSite(context, params)
    return []
  },

  // Two calls of identity, however many members there are.
  async listPermissionsAggregateInSite({ params, query }, context) {
    const { organizationId: organization } = await readSite(context, params)
    const { members } = await context.people.listMemberships({ body: { organization } })
    const seeing = members.filter(({ role }) => canViewSites(role)).sort(byKey(userKey))
    const page = pageInMemory(seeing, userKey, { ...query, cursorKey: context.cursorKey() })
    const described = await context.people.describePeople({
      body: { actor: context.actor, organization, users: page.items.map(({ user }) => user), teams: [] },
    })
    const byId = new Map(described.users.map(user => [user.id, user]))
    const origin = { type: 'organization' as const, organization }
    const items = page.items.flatMap(({ user: id, role: permission }) => {
      const user = byId.get(id)
      return user ? [{ permission, user, origin }] : []
    })
    return { ...page, items }
  },
})
