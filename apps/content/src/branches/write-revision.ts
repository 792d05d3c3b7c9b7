import type { Db } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import type { GitSync } from '../hierarchy/spaces/space.entity.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import type { ImportedMaps } from '../pages/import-maps.ts'
import { insertNodes } from '../store/content/content.repository.ts'
import type { GitCommit, RevisionRow } from '../store/revisions/revision.entity.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import { isSameContent } from '../store/revisions/revisions.rules.ts'

/** The content of a new revision. */
export interface NewContent {
  maps: ImportedMaps
  /** The commit it comes from; null for an edit. */
  git: GitCommit | null
  configuration: RevisionRow['configuration']
  variables: RevisionRow['variables']
  createdBy: string
}

/** Writes a revision with this content after another one and returns its id; content that equals that of `before` adds none, and its id is returned. */
export async function writeRevision(db: Db, before: RevisionRow, content: NewContent): Promise<string> {
  const { maps, ...fields } = content
  const { nodes, ...roots } = maps
  const revision: RevisionRow = {
    ...{ id: createId(), spaceId: before.spaceId, type: 'edits', parents: [before.id] },
    ...roots,
    ...fields,
    createdAt: new Date(),
  }
  if (isSameContent(before, revision)) return before.id
  await insertNodes(db, nodes)
  await revisions.insert(db, revision)
  return revision.id
}

/**
 * Moves the main content of a space to another revision, and records the repository it came from, if any. The caller holds the lock of the
 * space's row; throws `conflict` when main content is not at `from` any more.
 */
export async function advanceMain(
  db: Db,
  spaceId: string,
  move: { from: string; to: string; gitSync?: GitSync },
): Promise<void> {
  const isMoved = await spaces.moveRevision(db, spaceId, move)
  if (!isMoved && move.from !== move.to) throw new Failure('conflict', 'The main content has changed meanwhile')
}
