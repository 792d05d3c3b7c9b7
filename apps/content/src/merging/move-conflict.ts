import type { PageIndex } from '../pages/page-tree.ts'
import type { DetectedConflict, MergeInput, PlaceInTree } from './conflict.ts'
import { conflictOf } from './merge-record.rules.ts'
import type { Sides } from './three-way.ts'

/** The page trees of the three contents. */
export type PageTrees = Pick<MergeInput['pages'], keyof Sides<unknown>>

/** A conflict of the place of a page. */
export function moveConflict(id: string, { base, main, changeRequest }: PageTrees): DetectedConflict {
  const places = { base: placeIn(base, id), main: placeIn(main, id), changeRequest: placeIn(changeRequest, id) }
  return conflictOf({ kind: 'move', page: id }, places)
}

function placeIn(tree: PageIndex, id: string): PlaceInTree | undefined {
  const record = tree.get(id)
  if (!record) return undefined
  const position = tree.childrenOf(record.parent).findIndex(sibling => sibling.id === id)
  return { parent: record.parent, path: tree.pathOf(id), position }
}
