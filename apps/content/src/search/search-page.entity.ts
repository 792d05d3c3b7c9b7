import { EntitySchema } from 'typeorm'

/** A page in the search index. */
export interface SearchPageRow {
  spaceId: string
  pageId: string
  type: 'document' | 'group' | 'link' | 'computed'
  title: string
  path: string
  /** Null in a row that the version before wrote, which has no parent either. */
  description: string | null
  /** The page above; null at the root. */
  parent: string | null
  /** Whether the page, or one above it, is not to be indexed: only authors find it. */
  noIndex: boolean
  /** Whether conditions decide who sees some of its text. */
  isConditional: boolean
  /** Words of the title. */
  titleWords: number
}

const vector = { type: 'tsvector' as const, select: false }

/** Columns that only queries use: a row is never read with them. */
const tokenColumns = {
  nameTokens: { ...vector, name: 'name_tokens' },
  textTokens: { ...vector, name: 'text_tokens' },
  tokens: { ...vector, insert: false, update: false },
}

export const SearchPageEntity = new EntitySchema<SearchPageRow>({
  name: 'SearchPage',
  tableName: 'search_pages',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    pageId: { type: 'text', primary: true, name: 'page_id' },
    type: { type: 'text' },
    title: { type: 'text' },
    path: { type: 'text' },
    description: { type: 'text', nullable: true },
    parent: { type: 'text', nullable: true },
    noIndex: { type: 'boolean', name: 'no_index' },
    isConditional: { type: 'boolean', name: 'is_conditional', default: true },
    titleWords: { type: 'int', name: 'title_words' },
    ...tokenColumns,
  },
})
