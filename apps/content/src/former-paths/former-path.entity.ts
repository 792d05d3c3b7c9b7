import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A path that a page of main content had before, in lower case; of several pages that had it, the last one. */
export interface FormerPathRow {
  spaceId: string
  path: string
  pageId: string
  /** The place in the history of main content of the revision that dropped it. */
  mainNumber: number
}

export const FormerPathEntity = new EntitySchema<FormerPathRow>({
  name: 'FormerPath',
  tableName: 'former_paths',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    path: { type: 'text', primary: true },
    pageId: { type: 'text', name: 'page_id' },
    mainNumber: { type: 'int', name: 'main_number' },
  } satisfies EntityColumns<FormerPathRow>,
})
