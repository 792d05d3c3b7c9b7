import { generateKeyBetween } from 'fractional-indexing'
import { fieldFault } from '@recto/operation'
import { freePathBeside } from './paths.rules.ts'
import {
  changed,
  itemsIn,
  requireItem,
  requireSiteSpace,
  settleDefaults,
  siteSpacesIn,
  type Structure,
  withItemChanges,
} from './structure.rules.ts'

/** A part of the structure of a site. */
export interface Pointer {
  type: 'site-space' | 'site-section' | 'site-section-group' | 'site-external-link'
  id: string
}

/** The neighbours that an item goes before or after; without them it goes to the end. */
export interface Anchors {
  before?: Pointer | undefined
  after?: Pointer | undefined
}

/** The anchors of a position whose pointers are all of one kind. */
export function anchorsOf<Given>(
  position: { before?: Given | undefined; after?: Given | undefined } | undefined,
  pointerOf: (pointer: Given) => Pointer,
): Anchors {
  const { before, after } = position ?? {}
  return { before: before && pointerOf(before), after: after && pointerOf(after) }
}

/** The siblings of a place, in their order; `parent` is a group or section, or null. */
interface Place {
  parent: string | null
  siblings: (Pointer & { position: string })[]
}

/**
 * Moves a part of a site beside others, also into their section or group; without anchors to the end of where it is. A space goes
 * beside spaces only, sections, groups and links beside one another; a space whose path is taken in its new section gets a free one. Throws `not_found` for a part or anchor that the site does not have,
 * and `invalid_request` for anchors of another kind, that are no neighbours, or inside the group that moves.
 */
export function sortStructure(structure: Structure, item: Pointer, anchors: Anchors): Structure {
  const place = placeOf(structure, anchors.before ?? anchors.after ?? item)
  requireAnchors(structure, { item, anchors, place })
  const position = positionAt(place, item, anchors)
  if (item.type === 'site-space') {
    const { sectionId, path, isDefault } = requireSiteSpace(structure, item.id)
    const stays = place.parent === sectionId
    const moved = stays ? { isDefault } : { isDefault: false, path: freePathBeside(structure, place.parent, path) }
    const siteSpaces = changed(structure.siteSpaces, item.id, { sectionId: place.parent, position, ...moved })
    return settleDefaults({ ...structure, siteSpaces })
  }
  return withItemChanges(structure, { type: item.type, id: item.id }, { groupId: place.parent, position })
}

function placeOf(structure: Structure, { type, id }: Pointer): Place {
  if (type === 'site-space') {
    const { sectionId } = requireSiteSpace(structure, id)
    const siblings = siteSpacesIn(structure, sectionId).map(({ id, position }) => ({ type, id, position }))
    return { parent: sectionId, siblings }
  }
  const { groupId } = requireItem[type](structure, id)
  const siblings = itemsIn(structure, groupId).map(({ type, row: { id, position } }) => ({ type, id, position }))
  return { parent: groupId, siblings }
}

function requireAnchors(
  structure: Structure,
  { item, anchors, place }: { item: Pointer; anchors: Anchors; place: Place },
): void {
  placeOf(structure, item)
  for (const field of ['before', 'after'] as const) {
    const anchor = anchors[field]
    if (!anchor) continue
    placeOf(structure, anchor)
    if ((anchor.type === 'site-space') !== (item.type === 'site-space'))
      throw fieldFault(
        `body.position.${field}`,
        'must be of the same kind: spaces beside spaces, sections, groups and links beside one another',
      )
    if (isSame(anchor, item)) throw fieldFault(`body.position.${field}`, 'must not be what moves')
    if (!place.siblings.some(sibling => isSame(sibling, anchor)))
      throw fieldFault('body.position', 'position.before must directly follow position.after')
  }
  if (item.type === 'site-section-group' && isWithin(structure, place.parent, item.id))
    throw fieldFault('body.position', 'must not be inside the group that moves')
}

/** Whether a group is another one or inside of it. */
export function isWithin({ groups }: Structure, group: string | null, outer: string): boolean {
  for (let id = group; id !== null; id = groups.find(row => row.id === id)?.groupId ?? null)
    if (id === outer) return true
  return false
}

function positionAt({ siblings }: Place, item: Pointer, { before, after }: Anchors): string {
  const others = siblings.filter(sibling => !isSame(sibling, item))
  const next = before && others.findIndex(sibling => isSame(sibling, before))
  const previous = after && others.findIndex(sibling => isSame(sibling, after))
  if (next !== undefined && previous !== undefined && next !== previous + 1)
    throw fieldFault('body.position', 'position.before must directly follow position.after')
  const behind = next === undefined ? (previous ?? others.length - 1) : next - 1
  return generateKeyBetween(others[behind]?.position ?? null, others[behind + 1]?.position ?? null)
}

function isSame(one: Pointer, other: Pointer): boolean {
  return one.type === other.type && one.id === other.id
}
