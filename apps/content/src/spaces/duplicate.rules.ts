import { createId } from '@recto/operation'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { CopyTarget } from './copy-beside.ts'

const maxTitleLength = 50

/** The title of a copy. */
export function copyTitle(title: string): string {
  return suffixedTitle(title, 'copy')
}

/** The title of a space that is made of another one: shortened where needed to stay within the limit of titles. */
export function suffixedTitle(title: string, suffix: string): string {
  const ending = ` (${suffix})`
  return [...title].slice(0, maxTitleLength - ending.length).join('') + ending
}

/** Synchronisations of a space that its copies take over. */
const maxBases = 10

/**
 * The synchronised revisions that a copy takes over from its source: the newest of each branch and root. They are not part of the history
 * of the copy; exports build on them.
 */
export function copyBases(synchronised: RevisionRow[], { spaceId }: { spaceId: string }): RevisionRow[] {
  const bases = new Map<string, RevisionRow>()
  for (const revision of synchronised) {
    const { git, configuration } = revision
    if (!git || !configuration) continue
    const branch = `${git.ref} ${configuration.root}`
    if (bases.has(branch)) continue
    const none = { parents: [], mergedFrom: null, mainNumber: null, mainSince: null }
    bases.set(branch, { ...revision, ...none, id: createId(), spaceId, type: 'edits', git: { ...git, isBase: true } })
  }
  return [...bases.values()].slice(0, maxBases)
}

/** A copy of a space with its content and settings, without history, repository, comments and change requests. */
export function copySpace(
  space: SpaceRow,
  { revision, ...target }: CopyTarget & { revision: RevisionRow },
): { space: SpaceRow; revision: RevisionRow } {
  const id = createId()
  const now = new Date()
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
    mainSince: null,
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
      type: 'space',
      title: copyTitle(space.title),
      revision: first.id,
      createdAt: now,
      updatedAt: now,
    },
  }
}
