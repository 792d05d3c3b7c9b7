import { createId } from '@recto/operation'
import type { DefaultLevel } from '../../access/access.policy.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import type { SpaceRow } from '../spaces/space.entity.ts'

const maxTitleLength = 50
const copySuffix = ' (copy)'

/** The title of a copy: shortened where needed to stay within the limit of titles. */
export function copyTitle(title: string): string {
  return [...title].slice(0, maxTitleLength - copySuffix.length).join('') + copySuffix
}

interface CopyTarget {
  createdBy: string
  parent: string | null
  position: string
  defaultLevel: DefaultLevel
}

/** A copy of a space with its content and settings, without history, repository, comments and change requests. */
export function copySpace(
  space: SpaceRow,
  { revision, ...target }: CopyTarget & { revision: RevisionRow },
): { space: SpaceRow; revision: RevisionRow } {
  const [id, now] = [createId(), new Date()]
  const { organizationId, emoji, icon, language, editMode, mergeRules } = space
  const none = {
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    gitSync: null,
    publication: null,
    deletedAt: null,
  }
  const first: RevisionRow = {
    ...revision,
    id: createId(),
    spaceId: id,
    type: 'edits',
    parents: [],
    git: null,
    mergedFrom: null,
    mainNumber: 1,
    createdBy: target.createdBy,
    createdAt: now,
  }
  const settings = { organizationId, emoji, icon, language, editMode, mergeRules }
  return {
    revision: first,
    space: {
      ...settings,
      ...none,
      ...target,
      id,
      title: copyTitle(space.title),
      revision: first.id,
      createdAt: now,
      updatedAt: now,
    },
  }
}
