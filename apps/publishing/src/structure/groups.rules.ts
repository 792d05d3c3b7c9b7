import { createId, fieldFault } from '@recto/operation'
import { generateKeyBetween } from 'fractional-indexing'
import type { GroupRow } from './group.entity.ts'
import { isWithin } from './sort.rules.ts'
import {
  type Added,
  changed,
  endOfItems,
  type Item,
  itemsIn,
  omitIds,
  requireGroup,
  requireItem,
  requireSection,
  type Structure,
  withItemChanges,
} from './structure.rules.ts'

/** Adds a group at the end of the site or of another group, and moves sections into it. Throws `not_found` for unknown ones. */
export function addGroup(
  structure: Structure,
  group: {
    siteId: string
    title: string
    icon: string | null
    parent: string | null
    sections: readonly string[]
    draft?: boolean
  },
): Added {
  const { parent, sections, draft = false, ...rest } = group
  if (parent !== null) requireGroup(structure, parent)
  const added: GroupRow = {
    id: createId(),
    ...rest,
    localizedTitle: null,
    draft,
    groupId: parent,
    position: endOfItems(structure, parent),
    createdAt: new Date(),
  }
  const next = { ...structure, groups: [...structure.groups, added] }
  return { structure: sections.reduce((all, section) => addToGroup(all, section, added.id), next), id: added.id }
}

/** Puts a section at the end of a group; one that is in it stays where it is. Throws `not_found` for unknown ones. */
export function addToGroup(structure: Structure, section: string, group: string): Structure {
  requireGroup(structure, group)
  if (requireSection(structure, section).groupId === group) return structure
  const moved = { groupId: group, position: endOfItems(structure, group) }
  return { ...structure, sections: changed(structure.sections, section, moved) }
}

/** Takes a section out of a group, to the place behind the group; one that is not in it, or a group that does not exist, changes nothing. */
export function removeFromGroup(structure: Structure, section: string, group: string): Structure {
  const row = structure.groups.find(({ id }) => id === group)
  if (!row || structure.sections.find(({ id }) => id === section)?.groupId !== group) return structure
  const { groupId, position } = row
  const next = itemsIn(structure, groupId).find(({ row }) => row.position > position)
  const moved = { groupId, position: generateKeyBetween(position, next?.row.position ?? null) }
  return { ...structure, sections: changed(structure.sections, section, moved) }
}

/** Removes a group, if there is one; what is in it takes its place, in its order. */
export function removeGroup(structure: Structure, id: string): Structure {
  const group = structure.groups.find(row => row.id === id)
  if (!group) return structure
  const { groupId, position } = group
  const end = itemsIn(structure, groupId).find(({ row }) => row.position > position)?.row.position ?? null
  let last = position
  let next = structure
  for (const { type, row } of itemsIn(structure, id)) {
    last = generateKeyBetween(last, end)
    next = withItemChanges(next, { type, id: row.id }, { groupId, position: last })
  }
  return { ...next, groups: omitIds(next.groups, [id]) }
}

/** A group that a field of a request names; null is the top of the site. */
export interface GroupField {
  group: string | null
  field: string
}

/** Throws `not_found`, naming the field, when the site has no such group. */
export function requireGroupField({ groups }: Structure, { group, field }: GroupField): void {
  if (group !== null && !groups.some(({ id }) => id === group))
    throw fieldFault(field, 'there is no such section group', 'not_found')
}

/**
 * Moves a section, group or link to the end of a group, or of the top of the site; what is there already stays where it is. Throws
 * `not_found` for unknown ones, and `invalid_request` for a group inside the one that moves.
 */
export function moveIntoGroup(
  structure: Structure,
  item: { type: Item['type']; id: string },
  target: GroupField,
): Structure {
  const { group, field } = target
  const { groupId } = requireItem[item.type](structure, item.id)
  requireGroupField(structure, target)
  if (groupId === group) return structure
  if (item.type === 'site-section-group' && isWithin(structure, group, item.id))
    throw fieldFault(field, 'must not be the group itself, nor inside of it')
  return withItemChanges(structure, item, { groupId: group, position: endOfItems(structure, group) })
}

/** Changes a group. Throws `not_found` for an unknown one, and as `moveIntoGroup` does. */
export function updateGroup(
  structure: Structure,
  id: string,
  {
    parentSectionGroupId: group,
    ...changes
  }: Partial<Pick<GroupRow, 'title' | 'localizedTitle' | 'icon' | 'draft'>> & {
    parentSectionGroupId?: string | null | undefined
  },
): Structure {
  requireGroup(structure, id)
  const moved =
    group === undefined
      ? structure
      : moveIntoGroup(structure, { type: 'site-section-group', id }, { group, field: 'body.parentSectionGroupId' })
  return { ...moved, groups: changed(moved.groups, id, changes) }
}
