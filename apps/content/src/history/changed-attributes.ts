import { canonicalJson } from '../content-map/content-map.ts'

/** A value before and after a change; a missing value is left out. */
export interface Changed<Value> {
  before?: Value
  after?: Value
}

/** Finds the fields whose values differ, with both values; undefined counts as a missing value. */
export function changedAttributes(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, Changed<unknown>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names]
      .filter(name => !isSame(before[name], after[name]))
      .map(name => [name, beforeAndAfter(before[name], after[name])]),
  )
}

/** Makes a change of a value; undefined values are left out. */
export function beforeAndAfter<Value>(before: Value | undefined, after: Value | undefined): Changed<Value> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function isSame(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
