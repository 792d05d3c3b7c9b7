import { canonicalJson, type Difference } from '../content-map/content-map.ts'

/** The two contents of a merge. */
export type Side = 'main' | 'changeRequest'

/** A value in the common ancestor and on both sides; absent where it does not exist. */
export interface Sides<Value> {
  base: Value | undefined
  main: Value | undefined
  changeRequest: Value | undefined
}

/** The differences of both sides from the common ancestor. */
export interface SideDifferences<Row> {
  onMain: Difference<Row>[]
  onChangeRequest: Difference<Row>[]
}

export function otherSide(side: Side): Side {
  return side === 'main' ? 'changeRequest' : 'main'
}

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)
}

/** The side whose value is the merged one; undefined when both changed it differently. */
export function mergedSide({ base, main, changeRequest }: Sides<unknown>): Side | undefined {
  if (isSame(changeRequest, base) || isSame(main, changeRequest)) return 'main'
  return isSame(main, base) ? 'changeRequest' : undefined
}

/** The records that differ from the common ancestor on a side, by id. */
export function sidesById<Row>({ onMain, onChangeRequest }: SideDifferences<Row>): Map<string, Sides<Row>> {
  const sides = new Map<string, Sides<Row>>()
  for (const { id, before, after } of onMain) sides.set(id, { base: before, main: after, changeRequest: before })
  for (const { id, before, after } of onChangeRequest) {
    const main = sides.get(id)
    sides.set(id, { base: before, main: main ? main.main : before, changeRequest: after })
  }
  return sides
}

/** A part of all three; a side without value has no part. */
export function mapSides<Value, Part>(
  { base, main, changeRequest }: Sides<Value>,
  part: (value: Value) => Part | undefined,
): Sides<Part> {
  const of = (value: Value | undefined) => (value === undefined ? undefined : part(value))
  return { base: of(base), main: of(main), changeRequest: of(changeRequest) }
}
