import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { ContentRef } from '@recto/repository-content'

/** A target that a page, or a reusable content, of main content refers to. */
export interface ContentReferenceRow {
  spaceId: string
  sourceKind: 'page' | 'reusable-content'
  sourceId: string
  position: number
  /** The target as it is written in the text; for a cover, the id of the file. */
  target: string
  /** The syntax of the reference. */
  kind: string
  status: 'ok' | 'broken' | 'in-app'
  reference: ContentRef | null
  /** The kind of the page, file or reusable content of the space that the target names, with its id and the anchor in it. */
  targetKind: 'page' | 'file' | 'reusable-content' | null
  targetId: string | null
  targetAnchor: string | null
  /** Groups references to the same target; see `targetKey`. */
  targetKey: string
  locations: ReferenceLocation[]
  /**
   * For each place of the reference in a text with conditions, the conditions around it, all of which must hold for a visitor to see it;
   * null when every reader of the source sees it.
   */
  visibleWhen: string[][] | null
}

/** The place of a reference in a page or reusable content. */
export interface ReferenceLocation {
  line?: number
  /** Anchor of the section; absent before the first heading and outside the text. */
  anchor?: string
}

export const ContentReferenceEntity = new EntitySchema<ContentReferenceRow>({
  name: 'ContentReference',
  tableName: 'content_references',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    sourceKind: { type: 'text', name: 'source_kind' },
    sourceId: { type: 'text', primary: true, name: 'source_id' },
    position: { type: 'int', primary: true },
    target: { type: 'text' },
    kind: { type: 'text' },
    status: { type: 'text' },
    reference: { type: 'jsonb', nullable: true },
    targetKind: { type: 'text', name: 'target_kind', nullable: true },
    targetId: { type: 'text', name: 'target_id', nullable: true },
    targetAnchor: { type: 'text', name: 'target_anchor', nullable: true },
    targetKey: { type: 'text', name: 'target_key' },
    locations: { type: 'jsonb' },
    visibleWhen: { type: 'jsonb', name: 'visible_when', nullable: true },
  } satisfies EntityColumns<ContentReferenceRow>,
})
