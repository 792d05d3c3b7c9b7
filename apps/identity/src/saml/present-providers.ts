import { noAddress } from '@recto/contracts'
import type { Context } from '../shared/context'
import { presentTeams } from '../members/present-teams'
import * as teams from '../members/teams.repository'
import type { ProviderRow } from './provider.entity.ts'
import { isActive, serviceOf } from './provider.rules.ts'

/** A page of providers: as many queries as for one. */
export async function presentProviders(context: Context, organization: string, page: ProviderRow[]) {
  const ids = page.flatMap(({ defaultTeam }) => defaultTeam ?? [])
  const shown = await presentTeams(context, organization, await teams.among(context.db, organization, ids))
  const byId = new Map(shown.map(team => [team.id, team]))
  return page.map(row => {
    const { location, ...service } = serviceOf(row, context.publicUrl)
    const defaultTeam = byId.get(row.defaultTeam ?? '')
    return {
      object: 'saml-provider' as const,
      id: row.id,
      label: row.label,
      ssoURL: row.ssoUrl ?? noAddress,
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
