import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A path that a page of main content had before, in lower case, with the last page that had it. */
export interface FormerPathRow {
  spaceId: string
  path: string
  pageId: string
  /** The number, in the history of main content, of the revision that dropped the path. */
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
