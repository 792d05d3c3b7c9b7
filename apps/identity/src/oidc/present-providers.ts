import type { Context } from '../shared/context.ts'
import { defaultTeamsOf } from '../sign-ins/default-team.ts'
import type { OidcProviderRow } from './provider.entity.ts'
import { isActive, serviceUrls } from './provider.rules.ts'

/** A page of providers as replies show them, without their secrets; the number of queries does not depend on its size. */
export async function presentProviders(context: Context, organization: string, page: OidcProviderRow[]) {
  const defaultTeamOf = await defaultTeamsOf(context, organization, page)
  return page.map(row => {
    const { location, ...service } = serviceUrls(row, context.publicUrl)
    return {
      object: 'oidc-provider' as const,
      id: row.id,
      label: row.label,
      issuer: row.issuer ?? '',
      clientID: row.clientId ?? '',
      hasClientSecret: row.clientSecret !== null,
      emailDomains: row.emailDomains,
      scopes: row.scopes,
      ...defaultTeamOf(row),
      defaultRole: row.defaultRole,
      createdAt: row.createdAt.toISOString(),
      status: isActive(row) ? ('active' as const) : ('pending' as const),
      service,
      urls: { location },
    }
  })
}
