import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A node of a content map. */
export interface TreeNodeRow {
  hash: string
  /** The canonical JSON of the node, from which the hash is computed. */
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
