import type { DefaultLevel } from '@recto/actor'
import type { siteTypes } from '@recto/contracts-publishing'
import type { siteVisibilities } from '@recto/contracts-shared'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A docs site. */
export interface SiteRow {
  id: string
  organizationId: string
  type: (typeof siteTypes)[number]
  title: string
  /** Its part of the hostname that the installation gives it; no other site of the installation has it. */
  basename: string
  /** A hostname of its own, which no other site of the installation has. */
  hostname: string | null
  /** Host and path below which another server shows the site. */
  proxy: string | null
  visibility: (typeof siteVisibilities)[number]
  /** The role on it of members of the organization without a grant. */
  defaultLevel: DefaultLevel
  published: boolean
  adaptiveContent: boolean
  agentsContext: 'excluded' | 'included'
  /** Grows with each change of the site or of what it shows. */
  version: number
  /** When the version began: visitors' tokens of it read nothing that was shown before. */
  changedAt: Date
  /** The version of the last change that closed something: visitor tokens and downloads of lower ones are refused. */
  closedVersion: number
  closedAt: Date
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export const SiteEntity = new EntitySchema<SiteRow>({
  name: 'Site',
  tableName: 'sites',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    type: { type: 'text' },
    title: { type: 'text' },
    basename: { type: 'text' },
    hostname: { type: 'text', nullable: true },
    proxy: { type: 'text', nullable: true },
    visibility: { type: 'text' },
    defaultLevel: { type: 'text', name: 'default_level', nullable: true },
    published: { type: 'boolean' },
    adaptiveContent: { type: 'boolean', name: 'adaptive_content' },
    agentsContext: { type: 'text', name: 'agents_context' },
    version: { type: 'int' },
    changedAt: { type: 'timestamptz', precision: 3, name: 'changed_at' },
    closedVersion: { type: 'int', name: 'closed_version' },
    closedAt: { type: 'timestamptz', precision: 3, name: 'closed_at' },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<SiteRow>,
})
