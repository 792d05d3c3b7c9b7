/** How large a schema of claims may be. */
export const adaptiveSchemaLimits = { claims: 500, name: 64 } as const

interface Fault {
  path: string[]
  message: string
}

interface Part {
  enum?: string[] | undefined
  items?: Part
  properties?: Record<string, Part | undefined>
}

/** Names that are no plain keys of a JavaScript object. */
const reserved = ['__proto__', 'constructor', 'prototype']

/** Faults of a schema beyond its form: how large it is, names of claims, and repeated values. */
export function adaptiveSchemaFaults(schema: object): Fault[] {
  const faults: Fault[] = []
  const count = visit(schema, { path: [], faults })
  if (count > adaptiveSchemaLimits.claims)
    faults.push({ path: ['properties'], message: `must have at most ${adaptiveSchemaLimits.claims} claims and values` })
  return faults
}

/** Returns the number of claims and of values of enumerations in a part. */
function visit(part: Part, { path, faults }: { path: string[]; faults: Fault[] }): number {
  const values = part.enum ?? part.items?.enum ?? []
  const of = part.items ? [...path, 'items'] : path
  if (new Set(values).size < values.length)
    faults.push({ path: [...of, 'enum'], message: 'must have different values' })
  let count = values.length
  for (const [name, claim] of Object.entries(part.properties ?? {})) {
    const at = [...path, 'properties', name]
    const message = nameFault(name)
    if (message !== undefined) faults.push({ path: at, message })
    else if (claim) count += 1 + visit(claim, { path: at, faults })
  }
  return count
}

function nameFault(name: string): string | undefined {
  if (reserved.includes(name)) return 'must not be a reserved name'
  const isShort = name.length > 0 && name.length <= adaptiveSchemaLimits.name
  return isShort && !/[\p{Cc}\p{Cs}]/u.test(name)
    ? undefined
    : `must have a name of 1 to ${adaptiveSchemaLimits.name} characters`
}
