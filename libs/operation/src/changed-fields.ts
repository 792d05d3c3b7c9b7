import { isDeepStrictEqual } from 'node:util'

/** Names of the fields whose values differ between two states of a thing; a field that is left out is `undefined`. */
export function changedFields(before: object, after: object, except: readonly string[] = []): string[] {
  const from = new Map(Object.entries(before))
  const to = new Map(Object.entries(after))
  return [...new Set([...from.keys(), ...to.keys()])].filter(
    field => !except.includes(field) && !isDeepStrictEqual(from.get(field), to.get(field)),
  )
}
