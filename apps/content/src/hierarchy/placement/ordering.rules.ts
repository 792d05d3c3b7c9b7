import { generateKeyBetween } from 'fractional-indexing'

/** A position behind another one; the first of all when there is none. Positions are compared by code. */
export function positionAfter(last: string | null): string {
  return generateKeyBetween(last, null)
}

/** A position between two; null is the beginning or the end. */
export function positionBetween(before: string | null, after: string | null): string {
  return generateKeyBetween(before, after)
}
