import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { MemberClaimMapping } from './member-claims.rules.ts'

/** That members of the organization sign in as visitors of a site. */
export interface MemberVisitorsRow {
  siteId: string
  /** Another one after each change: a sign-in ends with that of its start. */
  version: string
  /** Claims of visitors by name, each with which one of the member it is; null for all of them. */
  claims: MemberClaimMapping | null
}

export const MemberVisitorsEntity = new EntitySchema<MemberVisitorsRow>({
  name: 'MemberVisitors',
  tableName: 'site_member_visitors',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    version: { type: 'text' },
    claims: { type: 'jsonb', nullable: true },
  } satisfies EntityColumns<MemberVisitorsRow>,
})
