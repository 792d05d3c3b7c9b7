import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** Why a hostname is not proven. */
export type ProofFault = 'missing' | 'different' | 'unreachable' | 'taken'

/** The claim of an organization to a hostname for one of its sites. Several organizations may claim one, of whom one at most is shown there. */
export interface CustomHostnameRow {
  id: string
  hostname: string
  organizationId: string
  siteId: string
  /** The record in the DNS has to have it. */
  token: string
  /** `trusted` was set where no proof was asked for, and is not checked. */
  state: 'pending' | 'proven' | 'trusted'
  fault: ProofFault | null
  /** Since when the record of a proven hostname is missing. */
  failingSince: Date | null
  checkedAt: Date | null
  /** When it is checked next, and the end of the lease of a check; null for never. */
  dueAt: Date | null
  createdAt: Date
}

export const CustomHostnameEntity = new EntitySchema<CustomHostnameRow>({
  name: 'CustomHostname',
  tableName: 'custom_hostnames',
  columns: {
    id: { type: 'text', primary: true },
    hostname: { type: 'text' },
    organizationId: { type: 'text', name: 'organization_id' },
    siteId: { type: 'text', name: 'site_id' },
    token: { type: 'text' },
    state: { type: 'text' },
    fault: { type: 'text', nullable: true },
    failingSince: { type: 'timestamptz', precision: 3, name: 'failing_since', nullable: true },
    checkedAt: { type: 'timestamptz', precision: 3, name: 'checked_at', nullable: true },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<CustomHostnameRow>,
})
