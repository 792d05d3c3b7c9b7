import type { DefaultLevel } from '../../access/access.policy.ts'
import { createId, Failure } from '@recto/operation'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import type { SpaceRow } from '../spaces/space.entity.ts'

const day = 86_400_000

/** Milliseconds for which what was deleted can be restored; it is purged after. */
export const restorable = 7 * day

/** Throws `conflict` when it is too late to restore. */
export function requireRestorable(deletedAt: Date, now: Date): void {
  if (now.getTime() - deletedAt.getTime() > restorable)
    throw new Failure('conflict', 'The space was deleted more than seven days ago')
}

const longestTitle = 50
const ofCopy = ' (copy)'

/** The title of a copy, which is within the limits of titles whatever the title is. */
export function titleOfCopy(title: string): string {
  return [...title].slice(0, longestTitle - ofCopy.length).join('') + ofCopy
}

interface Copying {
  createdBy: string
  parent: string | null
  position: string
  defaultLevel: DefaultLevel
}

/** A copy of a space with its content and settings: no history, no repository, no comments and no change requests. */
export function copyOf(
  space: SpaceRow,
  { revision, ...copying }: Copying & { revision: RevisionRow },
): { space: SpaceRow; revision: RevisionRow } {
  const [id, now] = [createId(), new Date()]
  const { organizationId, emoji, icon, language, editMode } = space
  const none = {
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    gitSync: null,
    deletedAt: null,
  }
  const first: RevisionRow = {
    ...revision,
    id: createId(),
    spaceId: id,
    type: 'edits',
    parents: [],
    git: null,
    createdBy: copying.createdBy,
    createdAt: now,
  }
  const settings = { organizationId, emoji, icon, language, editMode }
  return {
    revision: first,
    space: {
      ...settings,
      ...none,
      ...copying,
      id,
      title: titleOfCopy(space.title),
      revision: first.id,
      createdAt: now,
      updatedAt: now,
    },
  }
}
