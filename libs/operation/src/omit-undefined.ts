type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

/** The fields that are given, since `undefined` in a body means that a field is absent. */
export function omitUndefined<T extends object>(fields: T): Partial<Given<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Given<T>>
}
