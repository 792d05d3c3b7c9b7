import { maxScimMembers } from '@recto/contracts-identity'
import { isComplex, type Attributes } from './attributes.rules.ts'
import { comparisonOf, type Filter } from './filter.rules.ts'
import { applyPlaced, placeOperation, type PatchOperation, type PlacedOperation } from './patch-resource.rules.ts'
import { scimFault } from './scim-fault.ts'

/** A change of the members of a group; with `isReset` all others leave it. */
export interface MemberChange {
  isReset: boolean
  add: ReadonlySet<string>
  remove: ReadonlySet<string>
}

interface Draft {
  isReset: boolean
  add: Set<string>
  remove: Set<string>
}

/** The attributes of a group after a PATCH, and the change of its members, which are not read for it. */
export function patchGroup(
  group: Attributes,
  operations: readonly PatchOperation[],
): { attributes: Attributes; members: MemberChange } {
  const attributes = structuredClone(group)
  const draft: Draft = { isReset: false, add: new Set(), remove: new Set() }
  for (const operation of operations)
    for (const one of placeOperation(operation, attributes)) {
      if (one.path.extension === undefined && one.path.attribute === 'members') changeMembers(draft, one)
      else applyPlaced(attributes, one)
    }
  return { attributes, members: draft }
}

/** Makes these users the members of a group. */
export function replacedMembers(value: unknown): MemberChange {
  return { isReset: true, add: new Set(memberIds(value)), remove: new Set() }
}

function changeMembers(draft: Draft, { op, path, value }: PlacedOperation): void {
  if (path.subAttribute !== undefined) throw scimFault('invalidPath', 'A member is changed as a whole')
  if (path.filter) {
    if (op !== 'remove') throw scimFault('invalidPath', 'Members that a filter selects can be removed only')
    return takeOut(draft, selectedIds(path.filter))
  }
  const isAll = value === undefined || value === null
  if (op === 'remove' && !isAll) return takeOut(draft, memberIds(value))
  if (op !== 'add') {
    draft.isReset = true
    draft.add.clear()
    draft.remove.clear()
  }
  if (isAll) return
  for (const id of memberIds(value)) {
    draft.add.add(id)
    draft.remove.delete(id)
  }
  requireFew(draft)
}

function takeOut(draft: Draft, ids: string[]): void {
  for (const id of ids) {
    draft.add.delete(id)
    if (!draft.isReset) draft.remove.add(id)
  }
  requireFew(draft)
}

function requireFew({ add, remove }: Draft): void {
  if (add.size + remove.size > maxScimMembers)
    throw scimFault('invalidValue', `members: a request may name ${maxScimMembers} at most`)
}

/** The ids of members as clients write them: objects with `value`, or ids alone. */
function memberIds(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > maxScimMembers)
    throw scimFault('invalidValue', `members: a request may name ${maxScimMembers} at most`)
  return items.map(item => {
    const id = isComplex(item) ? item['value'] : item
    if (typeof id !== 'string' || id === '') throw scimFault('invalidValue', 'members: each needs the id of a user')
    if (isComplex(item) && item['type'] === 'Group')
      throw scimFault('invalidValue', 'members: a group cannot be a member of another one')
    return id
  })
}

/** The ids that a filter of members names: `value eq "…"`, or several of these with `or`. */
function selectedIds(filter: Filter): string[] {
  if (filter.op === 'or' && 'filters' in filter) return filter.filters.flatMap(selectedIds)
  const comparison = comparisonOf(filter)
  if (comparison?.op !== 'eq' || comparison.attribute.toLowerCase() !== 'value' || typeof comparison.value !== 'string')
    throw scimFault('invalidPath', 'Members are selected by value eq "…"')
  return [comparison.value]
}
