import { canonicalJson } from '../content-map/content-map.ts'

/** A value before and after; a side that has none is left out. */
export interface Changed<Value> {
  before?: Value
  after?: Value
}

/** The fields whose values differ, with both values; undefined is no value. */
export function changedAttributes(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, Changed<unknown>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names]
      .filter(name => !isSame(before[name], after[name]))
      .map(name => [name, bothSides(before[name], after[name])]),
  )
}

/** Both sides of a change, without those that have no value. */
export function bothSides<Value>(before: Value | undefined, after: Value | undefined): Changed<Value> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function isSame(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
