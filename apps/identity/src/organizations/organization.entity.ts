import type { OrganizationMergeRules } from '@recto/contracts-shared'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

/** Rules that every merge in the organization must pass, unless a space has its own. */
type MergeRules = z.output<typeof OrganizationMergeRules>

export interface OrganizationRow {
  id: string
  title: string
  type: string
  useCase: string | null
  emailDomains: string[]
  defaultRole: string | null
  /** The site where people who come to the organization begin. */
  defaultSite: string | null
  inviteLinks: boolean
  hostname: string | null
  logo: string | null
  sso: boolean
  ai: boolean
  mergeRules: MergeRules
  createdAt: Date
}

export const OrganizationEntity = new EntitySchema<OrganizationRow>({
  name: 'Organization',
  tableName: 'organizations',
  columns: {
    id: { type: 'text', primary: true },
    title: { type: 'text' },
    type: { type: 'text' },
    useCase: { type: 'text', name: 'use_case', nullable: true },
    emailDomains: { type: 'text', array: true, name: 'email_domains' },
    defaultRole: { type: 'text', name: 'default_role', nullable: true },
    defaultSite: { type: 'text', name: 'default_site', nullable: true },
    inviteLinks: { type: 'boolean', name: 'invite_links' },
    hostname: { type: 'text', nullable: true },
    logo: { type: 'text', nullable: true },
    sso: { type: 'boolean' },
    ai: { type: 'boolean' },
    mergeRules: { type: 'jsonb', name: 'merge_rules' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<OrganizationRow>,
})
