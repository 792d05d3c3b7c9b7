import type { Membership, Role } from '@recto/actor'
import type { OrganizationRow } from './organization.entity.ts'
import { organizationPermissions } from './organizations.policy.ts'

interface Viewer {
  membership: Membership | undefined
  ownsTeam: boolean
  publicUrl: string
}

/** An organization as the caller sees it. */
export function presentOrganization(row: OrganizationRow, { membership, ownsTeam, publicUrl }: Viewer) {
  return {
    object: 'organization' as const,
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    emailDomains: row.emailDomains,
    ...(row.hostname !== null && { hostname: row.hostname }),
    type: row.type as 'business' | 'community',
    ...(row.useCase !== null && { useCase: row.useCase as 'other' }),
    defaultRole: row.defaultRole as Role | null,
    ...(row.defaultSite !== null && { defaultContent: { type: 'site' as const, site: row.defaultSite } }),
    sso: row.sso,
    ai: row.ai,
    inviteLinks: row.inviteLinks,
    plan: 'enterprise_2024' as const,
    mergeRules: row.mergeRules,
    internal_isOnNewTrial: true as const,
    trial: { status: 'notapplicable' as const },
    urls: {
      location: `${publicUrl}/v1/orgs/${row.id}`,
      app: `${publicUrl}/o/${row.id}`,
      ...(row.logo !== null && { logo: row.logo }),
    },
    permissions: organizationPermissions(membership, { ownsTeam }),
  }
}
