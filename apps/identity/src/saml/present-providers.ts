import { unsetUrl } from '@recto/contracts-identity'
import type { Context } from '../shared/context.ts'
import { defaultTeamsOf } from '../sign-ins/default-team.ts'
import type { ProviderRow } from './provider.entity.ts'
import { isActive, serviceUrls } from './provider.rules.ts'

/** A page of providers as replies show them; the number of queries does not depend on its size. */
export async function presentProviders(context: Context, organization: string, page: ProviderRow[]) {
  const defaultTeamOf = await defaultTeamsOf(context, organization, page)
  return page.map(row => {
    const { location, ...service } = serviceUrls(row, context.publicUrl)
    return {
      object: 'saml-provider' as const,
      id: row.id,
      label: row.label,
      ssoURL: row.ssoUrl ?? unsetUrl,
      entityID: row.entityId ?? '',
      certificate: row.certificate ?? '',
      ...defaultTeamOf(row),
      defaultRole: row.defaultRole,
      createdAt: row.createdAt.toISOString(),
      status: isActive(row) ? ('active' as const) : ('pending' as const),
      service,
      urls: { location },
    }
  })
}
