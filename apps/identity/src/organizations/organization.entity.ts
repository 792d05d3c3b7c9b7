import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface OrganizationRow {
  id: string
  title: string
  type: string
  useCase: string | null
  emailDomains: string[]
  defaultRole: string | null
  inviteLinks: boolean
  hostname: string | null
  logo: string | null
  sso: boolean
  ai: boolean
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
    inviteLinks: { type: 'boolean', name: 'invite_links' },
    hostname: { type: 'text', nullable: true },
    logo: { type: 'text', nullable: true },
    sso: { type: 'boolean' },
    ai: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<OrganizationRow>,
})
