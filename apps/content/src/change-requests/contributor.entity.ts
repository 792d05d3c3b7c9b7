import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The number of a user's edits of a change request, or comments on it, and the time of the last one. */
export interface ContributorRow {
  changeRequestId: string
  userId: string
  actionType: 'edit' | 'comment'
  count: number
  updatedAt: Date
}

export const ContributorEntity = new EntitySchema<ContributorRow>({
  name: 'ChangeRequestContributor',
  tableName: 'change_request_contributors',
  columns: {
    changeRequestId: { type: 'text', primary: true, name: 'change_request_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    actionType: { type: 'text', primary: true, name: 'action_type' },
    count: { type: 'int' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<ContributorRow>,
})
