import type { Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import { pathKey } from '@recto/repository-content'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { followPath } from './follow-path.rules.ts'
import * as formerPaths from './former-paths.repository.ts'

/** The address of a page in a space: its id, or a path that it has or had. */
export type Place = { space: string; page: string } | { space: string; path: string }

/** A page with its current path. */
export interface PagePlace {
  id: string
  path: string
}

interface ReaderTools {
  db: Db
  actor: Actor
}

/** Finds the pages of main content that places lead to; null where the actor sees no page. */
export async function findPages(
  { db, actor }: ReaderTools,
  organization: string,
  places: readonly Place[],
): Promise<(PagePlace | null)[]> {
  const ids = [...new Set(places.map(({ space }) => space))]
  const spaces = await shownSpaces(db, { actor, organization, ids })
  const rows = await revisions.findAll(
    db,
    spaces.map(({ revision }) => revision),
  )
  const revisionOf = new Map(rows.map(revision => [revision.spaceId, revision]))
  const results = await Promise.all(places.map(place => follow(db, place, revisionOf.get(place.space))))
  const unresolved = results.flatMap((at, number) =>
    at && 'path' in at ? [{ spaceId: places[number]?.space ?? '', path: pathKey(at.path) }] : [],
  )
  const former = new Map(
    (await formerPaths.find(db, unresolved)).map(row => [`${row.spaceId}/${row.path}`, row.pageId]),
  )
  const pages = results.map((at, number) => {
    if (!at) return undefined
    return 'id' in at ? at.id : former.get(`${places[number]?.space}/${pathKey(at.path)}`)
  })
  return Promise.all(
    pages.map((page, number) => findVisiblePage({ db, actor }, revisionOf.get(places[number]?.space ?? ''), page)),
  )
}

async function follow(
  db: Db,
  place: Place,
  revision: RevisionRow | undefined,
): Promise<{ id: string } | { path: string } | undefined> {
  if (!revision || 'page' in place) return revision && 'page' in place ? { id: place.page } : undefined
  const { spaceId, configuration } = revision
  const result = followPath(place.path, { spaceId, configuration, pages: await loadShownPages(db, revision) })
  return result && 'page' in result ? { id: result.page.id } : result
}

/** Finds a page that has a path of its own, if the actor sees it. */
async function findVisiblePage(
  tools: ReaderTools,
  revision: RevisionRow | undefined,
  id: string | undefined,
): Promise<PagePlace | null> {
  if (!revision || id === undefined) return null
  const page = (await visiblePages(tools, revision)).get(id)
  if (page?.type !== 'document' && page?.type !== 'group') return null
  return { id, path: (await loadShownPages(tools.db, revision)).pathOf(id) }
}
