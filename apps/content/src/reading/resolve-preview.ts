import type { Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { isActive } from '../change-requests/change-requests.rules.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'

/** A change request or revision in an address, and its reader. */
interface NamedPreview {
  organization: string
  space: string
  changeRequest?: string | undefined
  revision?: string | undefined
  reader?: Actor | undefined
}

/**
 * Finds the change request or revision that an address previews in a space of a site. Ids of change requests cannot be guessed, so the id
 * of an active one is enough. Numbers can be guessed, ids of revisions are named in many places, and a merged or archived change request is
 * history, too: these open only for readers who could read the space by themselves.
 */
export async function resolvePreview(
  db: Db,
  preview: NamedPreview,
): Promise<{ changeRequest?: string; revision?: string }> {
  const { organization, space, changeRequest, revision } = preview
  if ((await spaces.findUndeleted(db, organization, [space])).length === 0) return {}
  if (changeRequest !== undefined) {
    const row = await changeRequests.find(db, space, changeRequest)
    const isShared = row?.id === changeRequest && isActive(row)
    return row && (isShared || (await couldRead(db, preview))) ? { changeRequest: row.id } : {}
  }
  const row = revision === undefined ? undefined : await revisions.find(db, revision)
  return row?.spaceId === space && (await couldRead(db, preview)) ? { revision: row.id } : {}
}

/** Whether the reader is a member or guest who can read the space, or previews a site with it; never true for a visitor. */
async function couldRead(db: Db, { organization, space, reader }: NamedPreview): Promise<boolean> {
  const isMember = reader?.memberships.some(membership => membership.organization === organization) === true
  if (!reader || !(isMember || reader.visitor?.previews === true)) return false
  return (await shownSpaces(db, { actor: reader, organization, ids: [space] })).length > 0
}
