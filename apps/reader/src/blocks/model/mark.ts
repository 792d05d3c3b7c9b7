import type { ChangeComment } from '../../api/types.ts'
import type { PropertyChange } from '@recto/markdown/schema'

/** How a node differs from the document that is compared with. */
export interface Mark {
  kind: 'insert' | 'delete' | 'moved-in' | 'moved-out' | 'change'
  /** Settings of the node that differ: their names, and what they were and are. */
  settings?: PropertyChange[]
}

/** The marks of nodes, by the nodes themselves. */
export type Marks = ReadonlyMap<object, Mark>

/** The differences of a document that is merged with another one. */
export interface DocumentMarks {
  marks: Marks
  /** The blocks at the top in or around which something differs. */
  changed: ReadonlySet<object>
  /** Comments by the block at the top that they stand behind. */
  comments?: ReadonlyMap<object, readonly ChangeComment[]>
}

/** Blocks whose changes readers see side by side: there are no words in them to mark. */
export const wholeBlocks: ReadonlySet<string> = new Set([
  'images',
  'image',
  'file',
  'drawing',
  'embed',
  'math',
  'content-ref',
  'divider',
  'integration',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'reusable-content',
  'if',
  'prompt',
])

/** Blocks that are shown by what is in them alone, so that a mark of theirs is one of each block in them. */
export const partsOfBlocks: ReadonlySet<string> = new Set([
  'list-item',
  'tabs-item',
  'stepper-step',
  'update',
  'column',
])
