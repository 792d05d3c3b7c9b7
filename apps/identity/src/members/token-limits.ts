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

/** Throws `not_found`, naming each, for resources that nobody of these sees. */
export async function requireVisibleLimits(
  context: Context,
  viewers: readonly LimitViewer[],
  limitedTo: LimitedTo | undefined,
): Promise<void> {
  if (!limitedTo) return
  const visible = { spaces: new Set<string>(), collections: new Set<string>(), sites: new Set<string>() }
  for (const readable of await Promise.all(viewers.map(viewer => findReadable(context, viewer, limitedTo))))
    for (const kind of kinds) for (const { id } of readable[kind]) visible[kind].add(id)
  const faults = kinds.flatMap(kind =>
    limitedTo[kind].flatMap((id, at) =>
      visible[kind].has(id)
        ? []
        : [{ path: `body.limitedTo.${kind}.${at}`, message: `is none of the ${kind} that you see` }],
    ),
  )
  if (faults.length > 0) throw fieldFaults(faults, 'not_found')
}

async function findReadable(
  { content, publishing }: Context,
  { actor, organization }: LimitViewer,
  { spaces, collections, sites }: LimitedTo,
) {
  const [ofContent, ofPublishing] = await Promise.all([
    content.findReadable({ body: { actor, organization, spaces, collections } }),
    publishing.findReadableSites({ body: { actor, organization, sites } }),
  ])
  return { ...ofContent, ...ofPublishing }
}
