import { byKey, pageInMemory } from '@recto/database'
import { openPlace } from './comment-place.ts'
import * as repository from './comments.repository.ts'
import type { Context } from '../shared/context.ts'
import type { Params } from './find-comment.ts'

/** Largest number of users in one call to identity. */
const usersPerCall = 1_000

type Author = Awaited<ReturnType<typeof repository.listAuthors>>[number]

/** Lists the members who posted comments and replies, in the order of their first posts, without users who have left the organization. */
export async function listCommenters(
  params: Params,
  query: { page?: string | undefined; limit: number },
  context: Context,
) {
  const { actor, people } = context
  const { space, on } = await openPlace(context, params)
  const { organizationId: organization } = space
  const authors = await repository.listAuthors(context.db, on)
  const present = await membersAmong(authors, organization, context)
  const keyOf = ({ userId, since }: Author) => [since.toISOString(), userId]
  const request = { ...query, cursorKey: context.cursorKey() }
  const page = pageInMemory(present.sort(byKey(keyOf)), keyOf, request)
  const users = page.items.map(({ userId }) => userId)
  const { members } =
    users.length === 0 ? { members: [] } : await people.describeMembers({ body: { actor, organization, users } })
  const byId = new Map(members.map(member => [member.id, member]))
  return { ...page, items: users.flatMap(user => byId.get(user) ?? []) }
}

async function membersAmong(authors: Author[], organization: string, { people }: Context): Promise<Author[]> {
  const batches = Array.from({ length: Math.ceil(authors.length / usersPerCall) }, (_, at) =>
    authors.slice(at * usersPerCall, (at + 1) * usersPerCall).map(({ userId }) => userId),
  )
  const memberships = await Promise.all(
    batches.map(batch => people.listMemberships({ body: { organization, users: batch } })),
  )
  const members = new Set(memberships.flatMap(({ members }) => members.map(({ user }) => user)))
  return authors.filter(({ userId }) => members.has(userId))
}
