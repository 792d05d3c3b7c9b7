import { isDeepStrictEqual } from 'node:util'

/** The fields of a request whose values differ from the row's; an absent (undefined) field keeps its value. */
export function changedFields<Row extends object, Key extends keyof Row>(
  row: Row,
  request: { [K in Key]?: Row[K] | undefined },
): Partial<Pick<Row, Key>> {
  const changed = Object.entries(request).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, row[key as Key]),
  )
  return Object.fromEntries(changed) as Partial<Pick<Row, Key>>
}
