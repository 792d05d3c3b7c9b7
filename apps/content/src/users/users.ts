import type { User } from '@recto/contracts-shared'
import { fieldFaults, toFailure } from '@recto/operation'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'

type ShownUser = z.input<typeof User>

/** Finds a user by id; one who has left the organization, or whom identity could not describe, has no name. */
export type ShowUser = (id: string) => ShownUser

/** Users of one call. */
const usersPerCall = 1_000

/** Describes users of an organization in one call for each thousand. They are decoration: without identity they are shown without names. */
export async function describeUsers(
  context: Pick<Context, 'actor' | 'people' | 'publicUrl'>,
  organization: string,
  ids: Iterable<string>,
): Promise<ShowUser> {
  const byId = await describeMembers(context, organization, ids)
  return id => byId.get(id) ?? formerMember(id, context)
}

/** The users among these who are in an organization, by id; none without identity, and none for visitors of sites, who do not learn who their authors are. */
export async function describeMembers(
  context: Pick<Context, 'actor' | 'people'>,
  organization: string,
  ids: Iterable<string>,
): Promise<Map<string, ShownUser>> {
  const users = context.actor.visitor ? [] : [...new Set(ids)]
  const calls = Array.from({ length: Math.ceil(users.length / usersPerCall) }, (_, at) =>
    describeKnown(context, organization, users.slice(at * usersPerCall, (at + 1) * usersPerCall)),
  )
  return new Map((await Promise.all(calls)).flat().map(user => [user.id, user]))
}

async function describeKnown(
  { actor, people }: Pick<Context, 'actor' | 'people'>,
  organization: string,
  users: string[],
): Promise<ShownUser[]> {
  try {
    return (await people.describePeople({ body: { actor, organization, users, teams: [] } })).users
  } catch (error) {
    const { code } = toFailure(error)
    if (code === 'unavailable' || code === 'timeout') return []
    throw error
  }
}

function formerMember(id: string, { publicUrl }: Pick<Context, 'publicUrl'>): ShownUser {
  return { object: 'user', id, displayName: 'Unknown user', urls: { location: `${publicUrl}/v1/users/${id}` } }
}

/** Throws `not_found` that names each of these users who is not in the organization; `path` is the field that names them. */
export async function requireUsers(
  { actor, people }: Pick<Context, 'actor' | 'people'>,
  organization: string,
  references: { path: string; user: string }[],
): Promise<void> {
  if (references.length === 0) return
  const users = [...new Set(references.map(({ user }) => user))]
  const descriptions = await people.describePeople({ body: { actor, organization, users, teams: [] } })
  const members = new Set(descriptions.users.map(({ id }) => id))
  const missing = references.filter(({ user }) => !members.has(user))
  if (missing.length === 0) return
  throw fieldFaults(
    missing.map(({ path }) => ({ path, message: 'is not in the organization' })),
    'not_found',
  )
}
