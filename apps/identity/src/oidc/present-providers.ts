import type { Context } from '../shared/context.ts'
import { presentTeams } from '../teams/present-teams.ts'
import * as teams from '../teams/teams.repository.ts'
import type { OidcProviderRow } from './provider.entity.ts'
import { isActive, serviceUrls } from './provider.rules.ts'

/** A page of providers as replies show them, without their secrets; the number of queries does not depend on its size. */
export async function presentProviders(context: Context, organization: string, page: OidcProviderRow[]) {
  const ids = page.flatMap(({ defaultTeam }) => defaultTeam ?? [])
  const defaultTeams = await presentTeams(context, organization, await teams.findByIds(context.db, organization, ids))
  const byId = new Map(defaultTeams.map(team => [team.id, team]))
  return page.map(row => {
    const { location, ...service } = serviceUrls(row, context.publicUrl)
    const defaultTeam = byId.get(row.defaultTeam ?? '')
    return {
      object: 'oidc-provider' as const,
      id: row.id,
      label: row.label,
      issuer: row.issuer ?? '',
      clientID: row.clientId ?? '',
      hasClientSecret: row.clientSecret !== null,
      emailDomains: row.emailDomains,
      scopes: row.scopes,
      ...(defaultTeam && { defaultTeam }),
      defaultRole: row.defaultRole,
      createdAt: row.createdAt.toISOString(),
      status: isActive(row) ? ('active' as const) : ('pending' as const),
      service,
      urls: { location },
    }
  })
}
