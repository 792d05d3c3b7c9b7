import { EntitySchema } from 'typeorm'

/** The synchronisations that the version before stored here; git-worker owns them now. The next version drops the table. */
export const FormerGitSyncEntity = new EntitySchema<Record<string, unknown>>({
  name: 'FormerGitSync',
  tableName: 'git_syncs',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    id: { type: 'text' },
    url: { type: 'text' },
    ref: { type: 'text' },
    projectDirectory: { type: 'text', name: 'project_directory' },
    direction: { type: 'text' },
    credentials: { type: 'bytea', nullable: true },
    webhookSecret: { type: 'bytea', name: 'webhook_secret' },
    commitMessage: { type: 'text', name: 'commit_message', nullable: true },
    pollInterval: { type: 'int', name: 'poll_interval' },
    initial: { type: 'text', nullable: true },
    syncedRevision: { type: 'text', name: 'synced_revision', nullable: true },
    syncedCommit: { type: 'text', name: 'synced_commit', nullable: true },
    pollId: { type: 'text', name: 'poll_id', nullable: true },
    recheck: { type: 'boolean' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    failures: { type: 'int' },
    error: { type: 'jsonb', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  },
})
