import type { Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { followPath } from './follow-path.rules.ts'
import { pathKey } from './former-paths.rules.ts'
import * as formerPaths from './former-paths.repository.ts'

/** A page by its id, or where a path of a space leads. */
export type Place = { space: string; page: string } | { space: string; path: string }

/** A page that a place leads to, with its path now. */
export interface FoundPage {
  id: string
  path: string
}

interface Asking {
  db: Db
  actor: Actor
}

/** The pages of main content that places lead to, as an actor sees them; null where they see none. */
export async function findPages(
  { db, actor }: Asking,
  organization: string,
  places: readonly Place[],
): Promise<(FoundPage | null)[]> {
  const ids = [...new Set(places.map(({ space }) => space))]
  const spaces = await shownSpaces(db, { actor, organization, ids })
  const rows = await revisions.findAll(
    db,
    spaces.map(({ revision }) => revision),
  )
  const revisionOf = new Map(rows.map(revision => [revision.spaceId, revision]))
  const followed = await Promise.all(places.map(place => follow(db, place, revisionOf.get(place.space))))
  const missed = followed.flatMap((at, number) =>
    at && 'path' in at ? [{ spaceId: places[number]?.space ?? '', path: pathKey(at.path) }] : [],
  )
  const former = new Map((await formerPaths.find(db, missed)).map(row => [`${row.spaceId}/${row.path}`, row.pageId]))
  const pages = followed.map((at, number) => {
    if (!at) return undefined
    return 'id' in at ? at.id : former.get(`${places[number]?.space}/${pathKey(at.path)}`)
  })
  return Promise.all(
    pages.map((page, number) => seenPage({ db, actor }, revisionOf.get(places[number]?.space ?? ''), page)),
  )
}

async function follow(
  db: Db,
  place: Place,
  revision: RevisionRow | undefined,
): Promise<{ id: string } | { path: string } | undefined> {
  if (!revision || 'page' in place) return revision && 'page' in place ? { id: place.page } : undefined
  const { spaceId, configuration } = revision
  const followed = followPath(place.path, { spaceId, configuration, pages: await loadShownPages(db, revision) })
  return followed && 'page' in followed ? { id: followed.page.id } : followed
}

/** A page with an address of its own, if the actor sees it. */
async function seenPage(
  asking: Asking,
  revision: RevisionRow | undefined,
  id: string | undefined,
): Promise<FoundPage | null> {
  if (!revision || id === undefined) return null
  const page = (await visiblePages(asking, revision)).get(id)
  if (page?.type !== 'document' && page?.type !== 'group') return null
  return { id, path: (await loadShownPages(asking.db, revision)).pathOf(id) }
}
