import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { HandOverEntity } from './hand-over/hand-over.entity.ts'
import { CreateGit1766000000000 } from './migrations/1766000000000-create-git.ts'
import { RecordedChanges1766900000000 } from './migrations/1766900000000-recorded-changes.ts'
import { GitPreviews1767000000000 } from './migrations/1767000000000-git-previews.ts'
import { GitOperationEntity } from './operations/git-operation.entity.ts'
import { GitPreviewEntity } from './previews/git-preview.entity.ts'
import { GitStatusEntity } from './previews/git-status.entity.ts'
import { GitSyncEntity } from './syncs/git-sync.entity.ts'

/** Entities and migrations of the database of git. */
export function gitDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  return {
    url,
    ...limits,
    entities: [
      GitOperationEntity,
      GitSyncEntity,
      GitPreviewEntity,
      GitStatusEntity,
      HandOverEntity,
      ...serviceEntities,
    ],
    migrations: [CreateGit1766000000000, RecordedChanges1766900000000, GitPreviews1767000000000],
  }
}
