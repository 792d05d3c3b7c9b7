import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** Proposed changes to the content of a space: a pointer beside main content. */
export interface ChangeRequestRow {
  id: string
  spaceId: string
  /** The number of the change request in its space, from 1. */
  number: number
  status: 'draft' | 'open' | 'archived' | 'merged'
  subject: string
  /** A `JSONDocument`. */
  description: object | null
  /** Places outside that it is about. */
  links: { id: string; url: string; title?: string }[]
  /** The revision of the proposed content. */
  revision: string
  /** The revision of main content that the change request started from. */
  revisionInitial: string
  /** The revision of main content that the change request was last updated from. */
  revisionMergedAncestor: string | null
  /** The revision of main content that its merge wrote. */
  revisionMerged: string | null
  /** The number of open comments. */
  comments: number
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export const ChangeRequestEntity = new EntitySchema<ChangeRequestRow>({
  name: 'ChangeRequest',
  tableName: 'change_requests',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    number: { type: 'int' },
    status: { type: 'text' },
    subject: { type: 'text' },
    description: { type: 'jsonb', nullable: true },
    links: { type: 'jsonb' },
    revision: { type: 'text' },
    revisionInitial: { type: 'text', name: 'revision_initial' },
    revisionMergedAncestor: { type: 'text', name: 'revision_merged_ancestor', nullable: true },
    revisionMerged: { type: 'text', name: 'revision_merged', nullable: true },
    comments: { type: 'int' },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<ChangeRequestRow>,
})
