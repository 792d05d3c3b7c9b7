import { EntitySchema } from 'typeorm'

/** The git operations that the version before stored here; git-worker owns them now. The next version drops the table. */
export const FormerGitOperationEntity = new EntitySchema<Record<string, unknown>>({
  name: 'FormerGitOperation',
  tableName: 'git_operations',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    syncId: { type: 'text', name: 'sync_id', nullable: true },
    direction: { type: 'text' },
    state: { type: 'text' },
    dispatched: { type: 'boolean' },
    stage: { type: 'text', nullable: true },
    progress: { type: 'jsonb', nullable: true },
    url: { type: 'text' },
    credentials: { type: 'bytea', nullable: true },
    ref: { type: 'text' },
    options: { type: 'jsonb' },
    timestamp: { type: 'timestamptz', precision: 3 },
    attempts: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    startedAt: { type: 'timestamptz', precision: 3, name: 'started_at', nullable: true },
    completedAt: { type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true },
    revision: { type: 'text', nullable: true },
    commit: { type: 'text', name: 'commit_oid', nullable: true },
    isPartial: { type: 'boolean', name: 'is_partial' },
    error: { type: 'jsonb', nullable: true },
    warnings: { type: 'jsonb' },
  },
})
