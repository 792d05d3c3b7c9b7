import { query, type Db } from '@recto/database'
import { Any, IsNull } from 'typeorm'
import type { IndexedSection, NamedPage } from './index-page.ts'
import { SearchPageEntity } from './search-page.entity.ts'
import { SearchSectionEntity } from './search-section.entity.ts'
import { SearchWordEntity } from './search-word.entity.ts'

/** A page with its text and sections. */
export type IndexedPage = NamedPage & { textTokens: string; sections: IndexedSection[]; isConditional: boolean }

const names = 'space_id, page_id, type, title, path, description, parent, no_index, title_words, name_tokens'
const rows = `$1, page.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::boolean[], $9::int[], $10::tsvector[]`
const renaming = `type = excluded.type, title = excluded.title, path = excluded.path,
  description = excluded.description, parent = excluded.parent, no_index = excluded.no_index,
  title_words = excluded.title_words, name_tokens = excluded.name_tokens`

/** Deletes pages with their sections. */
export async function deletePages(db: Db, spaceId: string, pages: string[]): Promise<void> {
  if (pages.length === 0) return
  await db.delete(SearchPageEntity, { spaceId, pageId: Any(pages) })
}

/** Deletes everything that is stored of a space. */
export async function deleteSpace(db: Db, spaceId: string): Promise<void> {
  await db.delete(SearchPageEntity, { spaceId })
  await db.delete(SearchWordEntity, { spaceId })
}

/** Writes pages without their text. */
export async function saveNames(db: Db, spaceId: string, pages: NamedPage[]): Promise<void> {
  await query(
    db,
    `insert into search_pages (${names}, text_tokens) select ${rows}, $11::tsvector[]) as page
     on conflict (space_id, page_id) do update set ${renaming}`,
    [...nameValues(spaceId, pages), pages.map(() => '')],
  )
}

/** Writes pages with their text, and replaces their sections. */
export async function savePages(db: Db, spaceId: string, pages: IndexedPage[]): Promise<void> {
  await query(
    db,
    `insert into search_pages (${names}, text_tokens, is_conditional) select ${rows}, $11::tsvector[], $12::boolean[]) as page
     on conflict (space_id, page_id) do update set ${renaming},
       text_tokens = excluded.text_tokens, is_conditional = excluded.is_conditional`,
    [
      ...nameValues(spaceId, pages),
      pages.map(({ textTokens }) => textTokens),
      pages.map(({ isConditional }) => isConditional),
    ],
  )
  const ids = pages.map(({ pageId }) => pageId)
  await db.delete(SearchSectionEntity, { spaceId, pageId: Any(ids) })
  await insertSections(
    db,
    spaceId,
    pages.flatMap(({ sections }) => sections),
  )
}

async function insertSections(db: Db, spaceId: string, sections: IndexedSection[]): Promise<void> {
  if (sections.length === 0) return
  await query(
    db,
    `insert into search_sections (space_id, page_id, position, anchor, title, body, tokens, conditions)
     select $1, page_id, position, anchor, title, body, tokens, array(select jsonb_array_elements_text(conditions))
     from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::tsvector[], $8::jsonb[])
       as section (page_id, position, anchor, title, body, tokens, conditions)`,
    [
      spaceId,
      sections.map(({ pageId }) => pageId),
      sections.map(({ position }) => position),
      sections.map(({ anchor }) => anchor),
      sections.map(({ title }) => title),
      sections.map(({ body }) => body),
      sections.map(({ tokens }) => tokens),
      sections.map(({ conditions }) => JSON.stringify(conditions)),
    ],
  )
}

/** Finds the spaces with pages that the version before indexed, without their place. */
export async function findUnplacedSpaces(db: Db, spaces: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'select distinct space_id as id from search_pages where space_id = any($1) and description is null',
    [spaces],
  )
  return rows.map(({ id }) => id)
}

/** The pages of a space that the version before indexed, without their place. */
export async function findUnplacedPages(db: Db, spaceId: string): Promise<string[]> {
  const pages = await db.findBy(SearchPageEntity, { spaceId, description: IsNull() })
  return pages.map(({ pageId }) => pageId)
}

/** Writes descriptions and places of pages, and nothing else of them. */
export async function savePlaces(
  db: Db,
  spaceId: string,
  pages: Pick<NamedPage, 'pageId' | 'description' | 'parent'>[],
): Promise<void> {
  await query(
    db,
    `update search_pages set description = place.description, parent = place.parent
     from unnest($2::text[], $3::text[], $4::text[]) as place (page_id, description, parent)
     where search_pages.space_id = $1 and search_pages.page_id = place.page_id`,
    [
      spaceId,
      pages.map(({ pageId }) => pageId),
      pages.map(({ description }) => (description ?? '').replaceAll('\0', ' ')),
      pages.map(({ parent }) => parent),
    ],
  )
}

/** The conditions on sections of spaces, each once for a space. */
export async function listConditions(
  db: Db,
  spaces: readonly string[],
): Promise<{ spaceId: string; condition: string }[]> {
  return query(
    db,
    `select distinct space_id as "spaceId", unnest(conditions) as condition from search_sections
     where space_id = any($1) and conditions <> '{}'`,
    [spaces],
  )
}

/** The pages of spaces with sections that have one of some conditions. */
export async function listPagesWithConditions(
  db: Db,
  spaces: readonly string[],
  conditions: readonly string[],
): Promise<{ spaceId: string; pageId: string; condition: string }[]> {
  return query(
    db,
    `select distinct space_id as "spaceId", page_id as "pageId", condition from search_sections, unnest(conditions) as condition
     where space_id = any($1) and conditions <> '{}' and conditions && $2::text[] and condition = any($2)`,
    [spaces, conditions],
  )
}

function nameValues(spaceId: string, pages: NamedPage[]): unknown[] {
  return [
    spaceId,
    pages.map(({ pageId }) => pageId),
    pages.map(({ type }) => type),
    pages.map(({ title }) => title.replaceAll('\0', ' ')),
    pages.map(({ path }) => path.replaceAll('\0', ' ')),
    pages.map(({ description }) => (description ?? '').replaceAll('\0', ' ')),
    pages.map(({ parent }) => parent),
    pages.map(({ noIndex }) => noIndex),
    pages.map(({ titleWords }) => titleWords),
    pages.map(({ nameTokens }) => nameTokens),
  ]
}

/**
 * Readies the index for searches after many changes, as autovacuum does a minute later: until then a search reads all entries that
 * wait for their place in an index, and the planner knows nothing of the tables.
 */
export async function flushIndex(db: Db): Promise<void> {
  await query(
    db,
    `select gin_clean_pending_list('search_pages_tokens'), gin_clean_pending_list('search_words_variants')`,
  )
  await query(db, 'analyze search_pages')
  await query(db, 'analyze search_sections')
  await query(db, 'analyze search_words')
}
