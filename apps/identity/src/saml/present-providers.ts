import { unsetUrl } from '@recto/contracts-identity'
import type { Context } from '../shared/context.ts'
import { presentTeams } from '../teams/present-teams.ts'
import * as teams from '../teams/teams.repository.ts'
import type { ProviderRow } from './provider.entity.ts'
import { isActive, serviceUrls } from './provider.rules.ts'

/** A page of providers as replies show them; the number of queries does not depend on its size. */
export async function presentProviders(context: Context, organization: string, page: ProviderRow[]) {
  const ids = page.flatMap(({ defaultTeam }) => defaultTeam ?? [])
  const defaultTeams = await presentTeams(context, organization, await teams.findByIds(context.db, organization, ids))
  const byId = new Map(defaultTeams.map(team => [team.id, team]))
  return page.map(row => {
    const { location, ...service } = serviceUrls(row, context.publicUrl)
    const defaultTeam = byId.get(row.defaultTeam ?? '')
    return {
      object: 'saml-provider' as const,
      id: row.id,
      label: row.label,
      ssoURL: row.ssoUrl ?? unsetUrl,
      entityID: row.entityId ?? '',
      certificate: row.certificate ?? '',
      ...(defaultTeam && { defaultTeam }),
      defaultRole: row.defaultRole,
      createdAt: row.createdAt.toISOString(),
      status: isActive(row) ? ('active' as const) : ('pending' as const),
      service,
      urls: { location },
    }
  })
}
