import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The anchors of a page of main content. */
export interface PageAnchorsRow {
  spaceId: string
  pageId: string
  anchors: string[]
}

export const PageAnchorsEntity = new EntitySchema<PageAnchorsRow>({
  name: 'PageAnchors',
  tableName: 'page_anchors',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    pageId: { type: 'text', primary: true, name: 'page_id' },
    anchors: { type: 'text', array: true },
  } satisfies EntityColumns<PageAnchorsRow>,
})
