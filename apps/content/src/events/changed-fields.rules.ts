import { isDeepStrictEqual } from 'node:util'

/** Finds the fields of a request whose values differ from the row; an absent (undefined) field keeps its value. */
export function changedFields<Row extends object, Key extends keyof Row>(
  row: Row,
  request: { [K in Key]?: Row[K] | undefined },
): Partial<Pick<Row, Key>> {
  const changes = Object.entries(request).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, row[key as Key]),
  )
  return Object.fromEntries(changes) as Partial<Pick<Row, Key>>
}
