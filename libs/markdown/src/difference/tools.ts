import type { DocumentBlock } from '../document/schema.ts'
import type { ContentIds, ContentNode } from './content-ids.ts'
import type { BlockStep } from './schema.ts'

/** The tools with which parts of two documents are compared. */
export interface DiffTools {
  ids: ContentIds
  /** The words of a node, which are read once. */
  words(node: ContentNode): readonly string[]
  /** Compares blocks one below the other. */
  blocks(before: readonly DocumentBlock[], after: readonly DocumentBlock[]): BlockStep[]
}
