/** The fields that a request gives and that are not so yet; absent keeps. */
export function changed<Row extends object, Key extends keyof Row>(
  row: Row,
  request: { [K in Key]?: Row[K] | undefined },
): Partial<Pick<Row, Key>> {
  const given = Object.entries(request).filter(([key, value]) => value !== undefined && value !== row[key as Key])
  return Object.fromEntries(given) as Partial<Pick<Row, Key>>
}
