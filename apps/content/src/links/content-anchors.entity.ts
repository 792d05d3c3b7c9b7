import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The anchors of a page, or reusable content, of main content. */
export interface ContentAnchorsRow {
  spaceId: string
  sourceId: string
  anchors: string[]
}

export const ContentAnchorsEntity = new EntitySchema<ContentAnchorsRow>({
  name: 'ContentAnchors',
  tableName: 'content_anchors',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    sourceId: { type: 'text', primary: true, name: 'source_id' },
    anchors: { type: 'text', array: true },
  } satisfies EntityColumns<ContentAnchorsRow>,
})
