import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A node of a content map. */
export interface TreeNodeRow {
  hash: string
  /** The JSON that the hash is of. */
  body: string
}

export const TreeNodeEntity = new EntitySchema<TreeNodeRow>({
  name: 'TreeNode',
  tableName: 'tree_nodes',
  columns: {
    hash: { type: 'text', primary: true },
    body: { type: 'text' },
  } satisfies EntityColumns<TreeNodeRow>,
})
