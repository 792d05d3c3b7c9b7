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

export interface MemberRow {
  organizationId: string
  userId: string
  role: string | null
  disabled: boolean
  joinedAt: Date
  lastSeenAt: Date | null
  sso: boolean
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
  },
})

export const MemberEntity = new EntitySchema<MemberRow>({
  name: 'Member',
  tableName: 'members',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    role: { type: 'text', nullable: true },
    disabled: { type: 'boolean' },
    joinedAt: { type: 'timestamptz', precision: 3, name: 'joined_at' },
    lastSeenAt: { type: 'timestamptz', precision: 3, name: 'last_seen_at', nullable: true },
    sso: { type: 'boolean' },
  },
})
