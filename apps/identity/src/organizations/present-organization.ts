import type { Membership, Role } from '@recto/actor'
import type { OrganizationRow } from './organization.entity.ts'
import { organizationPermissions, seesSettings } from './organizations.policy.ts'

/** Who sees an organization. */
export interface Viewer {
  membership: Membership | undefined
  ownsTeam: boolean
  publicUrl: string
  /** The email domain by which a caller looked for organizations, and which they so know of. */
  domain?: string | undefined
  /** The settings are for a service that applies them, whoever the caller is. */
  forService?: boolean | undefined
}

/** An organization as the caller sees it: guests, and those outside of it, learn none of its settings. */
export function presentOrganization(row: OrganizationRow, viewer: Viewer) {
  const { membership, ownsTeam, publicUrl } = viewer
  return {
    object: 'organization' as const,
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    type: row.type as 'business' | 'community',
    sso: row.sso,
    ...(viewer.forService === true || seesSettings(membership) ? settingsOf(row) : neutralSettings(row, viewer)),
    plan: 'enterprise_2024' as const,
    internal_isOnNewTrial: true as const,
    auditLogs: true,
    trial: { status: 'notapplicable' as const },
    urls: {
      location: `${publicUrl}/v1/orgs/${row.id}`,
      app: `${publicUrl}/o/${row.id}`,
      ...(row.logo !== null && { logo: row.logo }),
    },
    permissions: organizationPermissions(membership, { ownsTeam }),
  }
}

function settingsOf(row: OrganizationRow) {
  return {
    emailDomains: row.emailDomains,
    ...(row.hostname !== null && { hostname: row.hostname }),
    ...(row.useCase !== null && { useCase: row.useCase as 'other' }),
    defaultRole: row.defaultRole as Role | null,
    ...(row.defaultSite !== null && { defaultContent: { type: 'site' as const, site: row.defaultSite } }),
    ai: row.ai,
    inviteLinks: row.inviteLinks,
    mergeRules: row.mergeRules,
  }
}

/** The settings that the schema requires, with values that say nothing of those that are set. */
function neutralSettings({ emailDomains }: OrganizationRow, { domain }: Viewer) {
  return {
    emailDomains: emailDomains.filter(accepted => accepted === domain),
    ai: false,
    inviteLinks: false,
    mergeRules: { type: 'none' as const },
  }
}
