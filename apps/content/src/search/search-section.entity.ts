import { EntitySchema } from 'typeorm'

/** A section of a page in the search index; a long one is several rows. */
export interface SearchSectionRow {
  spaceId: string
  pageId: string
  position: number
  anchor: string | null
  title: string
  body: string
  /** Expressions that must all hold for a visitor to see the section. */
  conditions: string[]
}

/** The column that only queries use: a row is never read with it. */
const tokenColumns = { tokens: { type: 'tsvector' as const, select: false } }

export const SearchSectionEntity = new EntitySchema<SearchSectionRow>({
  name: 'SearchSection',
  tableName: 'search_sections',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    pageId: { type: 'text', primary: true, name: 'page_id' },
    position: { type: 'int', primary: true },
    anchor: { type: 'text', nullable: true },
    title: { type: 'text' },
    body: { type: 'text' },
    conditions: { type: 'text', array: true },
    ...tokenColumns,
  },
})
