import { EntitySchema } from 'typeorm'

export interface SpaceRow {
  id: string
  organizationId: string
  title: string
  emoji: string
  language: string | null
  editMode: 'live' | 'locked'
  defaultLevel: string | null
  revision: string
  comments: number
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
  gitSync: GitSync | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** The repository a space was last synchronised with. */
export interface GitSync {
  repoName?: string
  installationProvider?: 'github' | 'gitlab'
  url: string
  updatedAt: string
}

export const SpaceEntity = new EntitySchema<SpaceRow>({
  name: 'Space',
  tableName: 'spaces',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    title: { type: 'text' },
    emoji: { type: 'text' },
    language: { type: 'text', nullable: true },
    editMode: { type: 'text', name: 'edit_mode' },
    defaultLevel: { type: 'text', name: 'default_level', nullable: true },
    revision: { type: 'text' },
    comments: { type: 'int' },
    changeRequests: { type: 'int', name: 'change_requests' },
    changeRequestsOpen: { type: 'int', name: 'change_requests_open' },
    changeRequestsDraft: { type: 'int', name: 'change_requests_draft' },
    gitSync: { type: 'jsonb', name: 'git_sync', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
    deletedAt: { type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true },
  },
})
