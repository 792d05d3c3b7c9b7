import { scimPatch, type ScimPatchOperation } from 'scim-patch'
import { filter as matching } from 'scim2-parse-filter'
import { booleanOf, canonicalValue, isComplex, multiValuedAttributes, type Attributes } from './attributes.rules.ts'
import { comparisonOf, type Filter } from './filter.rules.ts'
import { parsePatchPath, type PatchPath } from './patch-path.rules.ts'
import { scimFault } from './scim-fault.ts'

/** An operation of a PATCH as a client sends it. */
export interface PatchOperation {
  op: string
  path?: string | undefined
  value?: unknown
}

/** An operation with its place. */
export interface PlacedOperation {
  op: 'add' | 'replace' | 'remove'
  path: PatchPath
  value: unknown
  /** Whether the attribute was named in a value without a path: what cannot be changed is left out there, as in a PUT. */
  isInValue: boolean
}

const ops = ['add', 'replace', 'remove'] as const
const multiValued = new Set<string>([...multiValuedAttributes, 'members'])
const readOnly = new Set(['id', 'meta', 'groups', 'schemas'])

/** Reads an operation: one without a path is one for each attribute of its value, which may be named by a path, too. */
export function placeOperation({ op, path, value }: PatchOperation, resource: Attributes): PlacedOperation[] {
  const name = ops.find(one => one === op.toLowerCase())
  if (!name) throw scimFault('invalidSyntax', `${op} is no operation: it must be one of ${ops.join(', ')}`)
  if (path !== undefined && path !== '') return placesOf({ op: name, path, value, isInValue: false }, resource)
  if (name === 'remove') throw scimFault('noTarget', 'remove needs a path')
  if (!isComplex(value)) throw scimFault('invalidValue', 'An operation without a path needs an object as its value')
  return Object.entries(value).flatMap(([key, item]) =>
    placesOf({ op: name, path: key, value: item, isInValue: true }, resource),
  )
}

/** An extension as a whole is placed by its attributes. */
function placesOf(
  { path: text, value, ...operation }: Omit<PlacedOperation, 'path'> & { path: string },
  resource: Attributes,
): PlacedOperation[] {
  const path = parsePatchPath(text, resource)
  const { extension, attribute = '', subAttribute } = path
  if (extension !== undefined && !path.attribute && operation.op !== 'remove') {
    if (!isComplex(value)) throw scimFault('invalidValue', `${extension} must be an object`)
    return Object.entries(value).map(([key, item]) => ({
      ...operation,
      path: { extension, attribute: parsePatchPath(key, resource).attribute },
      value: canonicalValue(item, key),
    }))
  }
  return [{ ...operation, path, value: canonicalValue(value, subAttribute ?? attribute) }]
}

/** Applies operations in their order, and returns the resource that results; the one before stays. Throws the fault of the first that cannot be applied. */
export function patchResource(resource: Attributes, operations: readonly PatchOperation[]): Attributes {
  const result = structuredClone(resource)
  for (const operation of operations) for (const one of placeOperation(operation, result)) applyPlaced(result, one)
  return result
}

/** Applies one operation to a resource. */
export function applyPlaced(resource: Attributes, operation: PlacedOperation): void {
  const { path, isInValue } = operation
  if (path.attribute === 'password') return
  if (path.extension === undefined && readOnly.has(path.attribute ?? '')) {
    if (isInValue) return
    throw scimFault('mutability', `${path.attribute} cannot be changed`)
  }
  if (path.attribute === undefined) delete resource[path.extension ?? '']
  else if (path.filter) applyToValues(ownerOf(resource, path), { ...operation, filter: path.filter })
  else applyToAttribute(ownerOf(resource, path), operation)
}

/** The object that has the attribute of a path: the resource, or an extension of it. */
function ownerOf(resource: Attributes, { extension }: PatchPath): Attributes {
  if (extension === undefined) return resource
  const owner = resource[extension]
  if (isComplex(owner)) return owner
  const added: Attributes = {}
  resource[extension] = added
  return added
}

function applyToAttribute(owner: Attributes, { op, path, value }: PlacedOperation): void {
  const { attribute = '', subAttribute } = path
  const before = owner[attribute]
  if (op === 'remove' && subAttribute === undefined && Array.isArray(before) && value != null) {
    owner[attribute] = before.filter(item => !listOf(value).some(pattern => isLike(item, pattern)))
    return
  }
  const text = subAttribute === undefined ? attribute : `${attribute}.${subAttribute}`
  if (op === 'remove' || value === null) return run(owner, { op: 'remove', path: text })
  const primary = primaryOf(before)
  run(owner, { op, path: text, value: subAttribute === undefined ? shaped(attribute, value) : value })
  keepOnePrimary(owner[attribute], primary)
}

interface OnValues extends PlacedOperation {
  filter: Filter
}

/** Applies an operation to the values that its filter selects. */
function applyToValues(owner: Attributes, { op, path, value, filter }: OnValues): void {
  const { attribute = '', subAttribute } = path
  const values = owner[attribute] ?? []
  if (!Array.isArray(values)) throw scimFault('noTarget', `${attribute} has not several values`)
  const isSelected = matching(withBooleans(filter))
  const selected = values.filter(isComplex).filter(isSelected)
  if (op === 'remove' || value === null) {
    if (subAttribute === undefined) owner[attribute] = values.filter(one => !selected.includes(one as Attributes))
    else for (const one of selected) run(one, { op: 'remove', path: subAttribute })
    return
  }
  if (selected.length === 0) selected.push(addedValue(owner, attribute, filter))
  const primary = primaryOf(values)
  for (const one of selected) {
    if (subAttribute !== undefined) run(one, { op, path: subAttribute, value })
    else if (isComplex(value)) Object.assign(one, value)
    else one['value'] = value
  }
  keepOnePrimary(owner[attribute], primary)
}

/** Adds the value that a filter describes by equality (`emails[type eq "work"]`); throws `noTarget` for any other. */
function addedValue(owner: Attributes, attribute: string, filter: Filter): Attributes {
  const parts = filter.op === 'and' && 'filters' in filter ? filter.filters : [filter]
  const comparisons = parts.map(comparisonOf)
  if (!comparisons.every(one => one?.op === 'eq' && !one.attribute.includes('.')))
    throw scimFault('noTarget', `No value of ${attribute} is selected`)
  const described = Object.fromEntries(comparisons.map(one => [one?.attribute, one?.value]))
  const value = canonicalValue(described) as Attributes
  owner[attribute] = [...((owner[attribute] as unknown[] | undefined) ?? []), value]
  return value
}

/** A filter that compares `primary` with a boolean where clients write "True". */
function withBooleans(filter: Filter): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(withBooleans) }
  if ('filter' in filter) return { ...filter, filter: withBooleans(filter.filter) }
  if (!('compValue' in filter) || filter.attrPath.toLowerCase() !== 'primary') return filter
  return { ...filter, compValue: booleanOf(filter.compValue) as boolean }
}

/** Has the library apply an operation whose path is that of an attribute. */
function run(target: Attributes, operation: ScimPatchOperation): void {
  try {
    scimPatch(target as never, [operation])
  } catch (error) {
    throw scimFault('invalidValue', `${operation.path ?? ''}: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** A value in the shape of its attribute: one of several values may be sent alone, and a manager as their id. */
function shaped(attribute: string, value: unknown): unknown {
  if (multiValued.has(attribute)) return listOf(value)
  return attribute === 'manager' && typeof value === 'string' ? { value } : value
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Whether a value has all that a pattern names. */
function isLike(value: unknown, pattern: unknown): boolean {
  if (!isComplex(pattern)) return value === pattern || (isComplex(value) && value['value'] === pattern)
  return isComplex(value) && Object.entries(pattern).every(([key, part]) => value[key] === part)
}

const isPrimary = (value: unknown): value is Attributes => isComplex(value) && value['primary'] === true

function primaryOf(values: unknown): Attributes | undefined {
  return Array.isArray(values) ? values.find(isPrimary) : undefined
}

/** A value that becomes the primary one takes that from the one before (RFC 7644, section 3.5.2). */
function keepOnePrimary(values: unknown, before: Attributes | undefined): void {
  if (!Array.isArray(values) || !before || !values.includes(before)) return
  if (values.some(value => value !== before && isPrimary(value))) before['primary'] = false
}
