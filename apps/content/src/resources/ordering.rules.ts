import { generateKeyBetween } from 'fractional-indexing'

/** A fractional index after another one; after null, the first one. Positions are compared by code unit. */
export function positionAfter(last: string | null): string {
  return generateKeyBetween(last, null)
}

/** A fractional index between two others; null is the start or the end. */
export function positionBetween(before: string | null, after: string | null): string {
  return generateKeyBetween(before, after)
}
