import { EntitySchema } from 'typeorm'

/** A word that pages of a space have. */
export interface SearchWordRow {
  spaceId: string
  word: string
  /** The word with its letters in reverse, to find words by their ends. */
  reversed: string
  /** Pages that have it. */
  uses: number
  /** See `deletionNeighbours`. */
  variants: number[]
}

export const SearchWordEntity = new EntitySchema<SearchWordRow>({
  name: 'SearchWord',
  tableName: 'search_words',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    word: { type: 'text', primary: true },
    reversed: { type: 'text' },
    uses: { type: 'int' },
    variants: { type: 'int', array: true },
  },
})
