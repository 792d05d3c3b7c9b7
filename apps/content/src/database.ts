import type { DatabaseOptions } from '@recto/database'
import { GitOperationEntity } from './git/git-operation.entity.ts'
import { CreateContent1763600000000 } from './migrations/1763600000000-create-content.ts'
import { RevisionEntity } from './revisions/revision.entity.ts'
import { SpaceEntity } from './spaces/space.entity.ts'

/** The database of content. */
export function contentDatabase(url: string, poolSize = 10): DatabaseOptions {
  return { url, poolSize, entities: [SpaceEntity, RevisionEntity, GitOperationEntity], migrations: [CreateContent1763600000000] }
}
