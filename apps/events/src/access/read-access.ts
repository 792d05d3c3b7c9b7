import { membershipIn, type Actor, type Role } from '@recto/actor'
import type { EventRow } from '../record/event.entity.ts'
import type { BaseContext } from '../shared/context.ts'
import {
  decidingResource,
  isVisible,
  namedResources,
  withoutHiddenNames,
  type DecidingResource,
  type Readable,
} from './visible-events.rules.ts'

/** The services that know who reads what. */
export type AccessServices = Pick<BaseContext, 'content' | 'publishing'>

type Roles = Pick<Readable, 'spaces' | 'collections' | 'sites'>

/** Most ids of a kind that one question names. */
const maxIds = 1_000

/** The events that an actor may read now, without the ids of other resources that they may not read. */
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
  const ask = (resources: readonly DecidingResource[]) => askForAccess(resources, { actor, organization }, services)
  const deciding = await ask(events.map(decidingResource).filter(resource => resource !== undefined))
  const visible = events.filter(event => isVisible(event, { isAdmin, isMember, ...deciding }))
  const namedRoles = await ask(visible.flatMap(namedResources))
  return visible.map(event => withoutHiddenNames(event, namedRoles))
}

/** The roles of an actor on these resources, without those that they may not read. */
async function askForAccess(
  resources: readonly DecidingResource[],
  { actor, organization }: { actor: Actor; organization: string },
  { content, publishing }: AccessServices,
): Promise<Roles> {
  const roles = { space: new Map<string, Role>(), collection: new Map<string, Role>(), site: new Map<string, Role>() }
  const idsOf = (kind: string) => [...new Set(resources.filter(each => each.kind === kind).map(({ id }) => id))]
  const ids = { space: idsOf('space'), collection: idsOf('collection'), site: idsOf('site') }
  for (let at = 0; at < Math.max(ids.space.length, ids.collection.length, ids.site.length); at += maxIds) {
    const part = (kind: keyof typeof ids) => ids[kind].slice(at, at + maxIds)
    const spaces = part('space')
    const collections = part('collection')
    const sites = part('site')
    const [ofContent, ofPublishing] = await Promise.all([
      spaces.length + collections.length > 0
        ? content.findReadable({ body: { actor, organization, spaces, collections } })
        : { spaces: [], collections: [] },
      sites.length > 0 ? publishing.findReadableSites({ body: { actor, organization, sites } }) : { sites: [] },
    ])
    const add = (kind: keyof typeof roles, rows: readonly { id: string; role: Role }[]) => {
      for (const { id, role } of rows) roles[kind].set(id, role)
    }
    add('space', ofContent.spaces)
    add('collection', ofContent.collections)
    add('site', ofPublishing.sites)
  }
  return { spaces: roles.space, collections: roles.collection, sites: roles.site }
}
