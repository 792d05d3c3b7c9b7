import { Failure, type FaultDetail } from '@recto/operation'
import { positionBetween } from './ordering.rules.ts'

/** A space or collection that lies beside others. */
export interface Sibling {
  object: 'space' | 'collection'
  id: string
  position: string
  /** False for what is deleted and for what the caller may not see: it keeps its place, and nobody can name it. */
  isVisible: boolean
}

type Named = Pick<Sibling, 'object' | 'id'>
type Anchor = { type: 'space'; space: string } | { type: 'collection'; collection: string }

/** Where something is to come; without anchors at the end. */
export interface Anchors {
  before?: Anchor | undefined
  after?: Anchor | undefined
}

/**
 * The new position of something among its siblings-to-be, which are in their order and may hold it already. Throws
 * `invalid_request` for an anchor that is no sibling, and for two that are not neighbours.
 */
export function positionAt(siblings: Sibling[], moved: Named, { before, after }: Anchors): string {
  const others = siblings.filter(sibling => !isSame(sibling, moved))
  const next = before && indexOf(others, before, 'before')
  const previous = after && indexOf(others, after, 'after')
  if (next !== undefined && previous !== undefined) requireNeighbours(others, previous, next)
  if (next !== undefined) return positionBetween(others[next - 1]?.position ?? null, others[next]?.position ?? null)
  const behind = previous ?? others.length - 1
  return positionBetween(others[behind]?.position ?? null, others[behind + 1]?.position ?? null)
}

/** Whether something would stay between the same visible siblings. */
export function staysThere(siblings: Sibling[], moved: Named, position: string): boolean {
  const visible = siblings.filter(sibling => sibling.isVisible || isSame(sibling, moved))
  const at = visible.findIndex(sibling => isSame(sibling, moved))
  if (at < 0) return false
  const [previous, next] = [visible[at - 1], visible[at + 1]]
  return (previous === undefined || previous.position < position) && (next === undefined || position < next.position)
}

function indexOf(others: Sibling[], anchor: Anchor, field: string): number {
  const named: Named =
    anchor.type === 'space' ? { object: 'space', id: anchor.space } : { object: 'collection', id: anchor.collection }
  const index = others.findIndex(sibling => sibling.isVisible && isSame(sibling, named))
  if (index < 0) throw misplaced([{ path: `body.position.${field}`, message: 'is not among the siblings' }])
  return index
}

function requireNeighbours(others: Sibling[], previous: number, next: number): void {
  const isNext = previous < next && others.slice(previous + 1, next).every(({ isVisible }) => !isVisible)
  if (!isNext) throw misplaced([{ path: 'body.position', message: 'before must come right after after' }])
}

function misplaced(details: FaultDetail[]): Failure {
  return new Failure('invalid_request', `${details[0]?.path}: ${details[0]?.message}`, { details })
}

function isSame(one: Named, other: Named): boolean {
  return one.object === other.object && one.id === other.id
}
