import type { Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { advanceMain } from './write-revision.ts'

/** The revision ids of main content or a change request. */
export interface ContentHead {
  organizationId: string
  /** The current revision. */
  revision: string
  /** The revision of main content that a change request is based on. */
  base?: string | undefined
}

/** Main content or a change request, locked for writing until its transaction ends. */
export interface WritableContent {
  spaceId: string
  organizationId: string
  /** The current revision. */
  revision: RevisionRow
  /** The revision of main content that a change request is based on. */
  base?: string | undefined
  /** Moves it to a revision that was written after the current one. */
  advance(revision: string): Promise<void>
}

/** Writes to the main content of a space, or to a change request. */
export interface ContentWriter<Params extends { spaceId: string } = { spaceId: string }> {
  /** Returns the current revision; throws `not_found`, `forbidden`, or `conflict` when the content takes no changes. */
  requireWritable(params: Params, context: Context): Promise<ContentHead>
  /** Locks the content; throws as `requireWritable`, since it may have changed meanwhile. */
  lock(tx: Transaction, params: Params, context: Context): Promise<WritableContent>
  /**
   * Locks the content for work that this user was allowed to start, and that may end much later; throws `not_found`, or `conflict` when
   * the content takes no changes now.
   */
  lockFor(tx: Transaction, params: Params, userId: string): Promise<WritableContent>
}

/** Writes to the main content of a space, while it is `live`. */
export const mainContentWriter: ContentWriter = {
  async requireWritable({ spaceId }, context) {
    const { organizationId, revision } = await writableSpace(spaceId, context)
    return { organizationId, revision }
  },

  async lock(tx, { spaceId }, context) {
    await spaces.lock(tx, spaceId)
    return mainBranch(tx, await writableSpace(spaceId, { ...context, db: tx }))
  },

  async lockFor(tx, { spaceId }) {
    const space = await spaces.lock(tx, spaceId)
    requirePresent(space)
    requireLive(space)
    return mainBranch(tx, space)
  },
}

async function mainBranch(tx: Transaction, space: SpaceRow): Promise<WritableContent> {
  const { id: spaceId, organizationId } = space
  const revision = await revisions.get(tx, space.revision)
  return { spaceId, organizationId, revision, advance: to => advanceMain(tx, space, { from: revision.id, to }) }
}

/** Throws `not_found` when there is no such space, `conflict` when it is deleted. */
export function requirePresent(space: SpaceRow | undefined): asserts space {
  if (!space) throw new Failure('not_found', 'There is no such space')
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
}

/** Reads a space whose main content the caller may change now; throws `not_found`, `forbidden` or `conflict`. */
export async function writableSpace(spaceId: string, context: Context): Promise<SpaceRow> {
  const readable = await readableSpace(context, spaceId)
  requireWrite(readable, spaceCan.edit)
  requireLive(readable.space)
  return readable.space
}

/** Throws `conflict` when the main content of a space is locked. */
export function requireLive({ editMode }: Pick<SpaceRow, 'editMode'>): void {
  if (editMode === 'locked') throw new Failure('conflict', 'The space is locked')
}
