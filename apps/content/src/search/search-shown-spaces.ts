import { secretsFor } from '@recto/operation'
import type { Actor, Visitor } from '@recto/actor'
import type { Db, ListPage } from '@recto/database'
import type { SearchSpace } from '@recto/contracts-shared'
import type { z } from 'zod'
import { type HiddenPage, searchableContent } from '../audience/searchable-content.ts'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import type { BaseContext } from '../shared/context.ts'
import { spaceLexeme } from './index-page.ts'
import { searchSpaces } from './run-search.ts'
import type { SearchedSpaces } from './search.repository.ts'
import { type UnmetCondition, unmetConditions } from './unmet-conditions.ts'

/** A search of named spaces in the name of an actor. */
export interface SearchRequest {
  actor: Actor
  organization: string
  spaces: readonly string[]
  query: string
  /** The list that a cursor belongs to: it is valid in no other. */
  list: string
  page?: string | undefined
  limit: number
}

/** Searches the spaces among these that an actor can read; visitors find nothing that conditions may hide from them. */
export async function searchShownSpaces(
  context: Pick<BaseContext, 'db' | 'publicUrl' | 'signingSecret'>,
  { actor, organization, spaces: ids, query, list, ...page }: SearchRequest,
): Promise<ListPage<z.input<typeof SearchSpace>>> {
  return searchSpaces(context, {
    spaces: db => shownIn(db, { actor, organization, ids }),
    text: query,
    request: { ...page, cursorKey: secretsFor(context.signingSecret, list) },
  })
}

/** Pages of all spaces that a search shows, besides the best of each: presenting a page costs more than finding it. */
const bestPages = 50
/** Pages that have an address on a site. */
const hasAddress = `page.type in ('document', 'group')`
const isHidden = `exists (select from hidden where hidden.space_id = page.space_id and hidden.page_id = page.page_id)`

async function shownIn(
  db: Db,
  { actor, organization, ids }: { actor: Actor; organization: string; ids: readonly string[] },
): Promise<SearchedSpaces | undefined> {
  const shownInOrganization = await shownSpaces(db, { actor, organization, ids })
  if (shownInOrganization.length === 0) return undefined
  const { visitor } = actor
  return visitor ? forVisitor(db, { actor, visitor, shown: shownInOrganization }) : searchedSpaces(shownInOrganization)
}

async function forVisitor(
  db: Db,
  { actor, visitor, shown }: { actor: Actor; visitor: Visitor; shown: ShownSpace[] },
): Promise<SearchedSpaces | undefined> {
  const searchable = await searchableContent({ db, actor }, shown)
  const spaces = shown.filter(({ id }) => searchable.spaces.has(id))
  if (spaces.length === 0) return undefined
  return searchedSpaces(spaces, {
    hidden: searchable.hidden,
    unmet: await unmetConditions(db, visitor, searchable.current),
  })
}

type ShownSpace = Awaited<ReturnType<typeof shownSpaces>>[number]

/** Pages that a visitor must not find. */
interface Hidden {
  hidden: HiddenPage[]
  unmet: UnmetCondition[]
}

function searchedSpaces(shownSpaces: ShownSpace[], forVisitor?: Hidden): SearchedSpaces {
  const { hidden = [], unmet = [] } = forVisitor ?? {}
  return {
    cte: `searched as (select * from unnest($1::text[], $2::text[], $3::text[]) as searched (id, title, role)),
      hidden as (select * from unnest($4::text[], $5::text[]) as hidden (space_id, page_id)),
      unmet as (select * from unnest($6::text[], $7::text[], $8::text[]) as unmet (space_id, page_id, condition))`,
    values: [
      shownSpaces.map(({ id }) => id),
      shownSpaces.map(({ title }) => title),
      shownSpaces.map(({ role }) => role),
      hidden.map(({ spaceId }) => spaceId),
      hidden.map(({ pageId }) => pageId),
      unmet.map(({ spaceId }) => spaceId),
      unmet.map(({ pageId }) => pageId),
      unmet.map(({ condition }) => condition),
    ],
    mark: `(${shownSpaces.map(({ id }) => `'${spaceLexeme(id)}'`).join(' | ')})`,
    condition: hidden.length > 0 ? `${hasAddress} and not ${isHidden}` : hasAddress,
    visible: `not ${isHidden}`,
    bestPages,
    isForVisitor: forVisitor !== undefined,
  }
}
