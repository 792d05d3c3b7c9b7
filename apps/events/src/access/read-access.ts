import { membershipIn, type Actor, type Role } from '@recto/actor'
import type { EventRow } from '../record/event.entity.ts'
import type { BaseContext } from '../shared/context.ts'
import { decidingResource, isVisible, type Readable } from './visible-events.rules.ts'

/** The services that know who reads what. */
export type AccessServices = Pick<BaseContext, 'content' | 'publishing'>

/** The events that an actor may read now. */
export async function visibleEvents(
  events: readonly EventRow[],
  { actor, organization }: { actor: Actor; organization: string },
  services: AccessServices,
): Promise<EventRow[]> {
  const membership = membershipIn(actor, organization)
  // A token that is limited to resources reads what happened to these.
  const isLimited = actor.limitedTo !== undefined
  const isAdmin = !isLimited && (actor.platformAdmin || membership?.role === 'admin')
  if (isAdmin) return [...events]
  const isMember = !isLimited && (membership?.role ?? null) !== null
  const readable = { isAdmin, isMember, ...(await askForAccess(events, { actor, organization }, services)) }
  return events.filter(event => isVisible(event, readable))
}

async function askForAccess(
  events: readonly EventRow[],
  { actor, organization }: { actor: Actor; organization: string },
  { content, publishing }: AccessServices,
): Promise<Pick<Readable, 'spaces' | 'collections' | 'sites'>> {
  const resources = events.map(decidingResource).filter(resource => resource !== undefined)
  const idsOf = (kind: string) => [...new Set(resources.filter(each => each.kind === kind).map(({ id }) => id))]
  const [spaces, collections, sites] = ['space', 'collection', 'site'].map(idsOf) as [string[], string[], string[]]
  const [ofContent, ofPublishing] = await Promise.all([
    spaces.length + collections.length > 0
      ? content.findReadable({ body: { actor, organization, spaces, collections } })
      : { spaces: [], collections: [] },
    sites.length > 0 ? publishing.findReadableSites({ body: { actor, organization, sites } }) : { sites: [] },
  ])
  return {
    spaces: rolesById(ofContent.spaces),
    collections: rolesById(ofContent.collections),
    sites: rolesById(ofPublishing.sites),
  }
}

function rolesById(rows: readonly { id: string; role: Role }[]): Map<string, Role> {
  return new Map(rows.map(({ id, role }) => [id, role]))
}
