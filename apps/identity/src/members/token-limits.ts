import { memberActor, type Actor, type LimitedTo } from '@recto/actor'
import { fieldFaults } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { listMembersWithTeams } from './members-of-teams.repository.ts'
import * as members from './members.repository.ts'

/** Whose rights decide what a token may be limited to, in one organization. */
export interface LimitViewer {
  actor: Actor
  organization: string
}

const kinds = ['spaces', 'collections', 'sites'] as const

/** The rights of the caller, in each organization that their token is valid in. */
export function viewersOfCaller({ actor }: Context): LimitViewer[] {
  return actor.memberships.map(({ organization }) => ({ actor, organization }))
}

/** The rights of another user. */
export async function viewersOfUser({ db }: Context, userId: string): Promise<LimitViewer[]> {
  const organizations = await members.findOrganizationIds(db, userId)
  const viewers = await Promise.all(
    organizations.map(async organization =>
      (await listMembersWithTeams(db, organization, [userId])).map(({ role, teams }) => {
        return { organization, actor: memberActor(userId, { organization, role, teams }) }
      }),
    ),
  )
  return viewers.flat()
}

/** Limits of a token in each organization, by its id: the audit log of one shows no ids of another. */
export type LimitsByOrganization = ReadonlyMap<string, LimitedTo>

/** Finds out which organization has which resources; throws `not_found`, naming each, for those that nobody of these sees. */
export async function requireVisibleLimits(
  context: Context,
  viewers: readonly LimitViewer[],
  { limitedTo, seen = 'you see' }: { limitedTo?: LimitedTo | undefined; seen?: string },
): Promise<LimitsByOrganization> {
  if (!limitedTo) return new Map()
  const limits = new Map(
    await Promise.all(
      viewers.map(async viewer => [viewer.organization, await findReadable(context, viewer, limitedTo)] as const),
    ),
  )
  const isVisible = (kind: keyof LimitedTo, id: string) => [...limits.values()].some(each => each[kind].includes(id))
  const faults = kinds.flatMap(kind =>
    limitedTo[kind].flatMap((id, at) =>
      isVisible(kind, id)
        ? []
        : [{ path: `body.limitedTo.${kind}.${at}`, message: `is none of the ${kind} that ${seen}` }],
    ),
  )
  if (faults.length > 0) throw fieldFaults(faults, 'not_found')
  return limits
}

async function findReadable(
  { content, publishing }: Context,
  { actor, organization }: LimitViewer,
  { spaces, collections, sites }: LimitedTo,
): Promise<LimitedTo> {
  const [ofContent, ofPublishing] = await Promise.all([
    content.findReadable({ body: { actor, organization, spaces, collections } }),
    publishing.findReadableSites({ body: { actor, organization, sites } }),
  ])
  const readable = { ...ofContent, ...ofPublishing }
  const idsOf = (kind: keyof LimitedTo) => readable[kind].map(({ id }) => id)
  return { spaces: idsOf('spaces'), collections: idsOf('collections'), sites: idsOf('sites') }
}
