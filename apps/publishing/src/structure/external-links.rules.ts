import { createId, Failure } from '@recto/operation'
import type { ExternalLinkRow } from './external-link.entity.ts'
import { moveIntoGroup, requireGroupField } from './groups.rules.ts'
import { type Added, changed, endOfItems, omitIds, requireExternalLink, type Structure } from './structure.rules.ts'

type NewLink = Pick<ExternalLinkRow, 'siteId' | 'title' | 'url' | 'draft'> &
  Partial<Pick<ExternalLinkRow, 'localizedTitle' | 'description' | 'localizedDescription' | 'icon' | 'condition'>> & {
    parent?: string | null | undefined
  }

/**
 * Adds a link at the end of the site, or of a group. Throws `not_found` for an unknown group, and `invalid_request` for a site without
 * sections, whose navigation has no place for it.
 */
export function addExternalLink(structure: Structure, { parent = null, ...link }: NewLink): Added {
  if (structure.sections.length === 0)
    throw new Failure('invalid_request', 'The site has no sections beside which a link could be')
  requireGroupField(structure, { group: parent, field: 'body.parent' })
  const none = { localizedTitle: null, description: null, localizedDescription: null, icon: null, condition: null }
  const place = { groupId: parent, position: endOfItems(structure, parent) }
  const added: ExternalLinkRow = { id: createId(), ...none, ...link, ...place, createdAt: new Date() }
  return { structure: { ...structure, externalLinks: [...structure.externalLinks, added] }, id: added.id }
}

/** Changes a link. Throws `not_found` for an unknown one, and for an unknown group to move it to. */
export function updateExternalLink(
  structure: Structure,
  id: string,
  { parent, ...changes }: Partial<Omit<NewLink, 'siteId' | 'parent'>> & { parent?: string | null | undefined },
): Structure {
  requireExternalLink(structure, id)
  const target = parent === undefined ? undefined : { group: parent, field: 'body.parent' }
  const moved = target ? moveIntoGroup(structure, { type: 'site-external-link', id }, target) : structure
  return { ...moved, externalLinks: changed(moved.externalLinks, id, changes) }
}

/** Removes a link, if there is one. */
export function removeExternalLink(structure: Structure, id: string): Structure {
  return { ...structure, externalLinks: omitIds(structure.externalLinks, [id]) }
}
