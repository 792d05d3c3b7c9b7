import { fieldFault } from '@recto/operation'
import type { ResourceType } from '../access/grant.entity.ts'
import { positionBetween } from './ordering.rules.ts'

/** A space or collection among its siblings. */
export interface Sibling {
  type: ResourceType
  id: string
  position: string
  /** False for siblings that are deleted or that the caller may not read: they keep their position, and callers cannot name them. */
  isVisible: boolean
}

type SiblingKey = Pick<Sibling, 'type' | 'id'>
type Anchor = { type: 'space'; space: string } | { type: 'collection'; collection: string }

/** The siblings before or after which a resource is placed; without them it goes to the end. */
export interface Anchors {
  before?: Anchor | undefined
  after?: Anchor | undefined
}

/**
 * The new position of a resource among the siblings of its target, which are in order and may include it already. Throws
 * `invalid_request` for an anchor that is not a visible sibling, and for two anchors that are not neighbors.
 */
export function positionAt(siblings: Sibling[], moved: SiblingKey, { before, after }: Anchors): string {
  const others = siblings.filter(sibling => !isSame(sibling, moved))
  const next = before && indexOf(others, before, 'before')
  const previous = after && indexOf(others, after, 'after')
  if (next !== undefined && previous !== undefined) requireNeighbors(others, previous, next)
  if (next !== undefined) return positionBetween(others[next - 1]?.position ?? null, others[next]?.position ?? null)
  const previousIndex = previous ?? others.length - 1
  return positionBetween(others[previousIndex]?.position ?? null, others[previousIndex + 1]?.position ?? null)
}

/** Whether a resource at this position would stay between the same visible siblings. */
export function isUnchanged(siblings: Sibling[], moved: SiblingKey, position: string): boolean {
  const visible = siblings.filter(sibling => sibling.isVisible || isSame(sibling, moved))
  const index = visible.findIndex(sibling => isSame(sibling, moved))
  if (index < 0) return false
  const previous = visible[index - 1]
  const next = visible[index + 1]
  return (previous === undefined || previous.position < position) && (next === undefined || position < next.position)
}

function indexOf(others: Sibling[], anchor: Anchor, field: string): number {
  const key: SiblingKey =
    anchor.type === 'space' ? { type: 'space', id: anchor.space } : { type: 'collection', id: anchor.collection }
  const index = others.findIndex(sibling => sibling.isVisible && isSame(sibling, key))
  if (index < 0) throw fieldFault(`body.position.${field}`, 'is not among the siblings')
  return index
}

function requireNeighbors(others: Sibling[], previous: number, next: number): void {
  const areNeighbors = previous < next && others.slice(previous + 1, next).every(({ isVisible }) => !isVisible)
  if (!areNeighbors) throw fieldFault('body.position', 'position.before must directly follow position.after')
}

function isSame(one: SiblingKey, other: SiblingKey): boolean {
  return one.type === other.type && one.id === other.id
}
