import { actorOf, type Context } from '../context.ts'
import type { Grant } from './grants.repository.ts'
import { creatorGrant } from './grants.rules.ts'

/** A space or collection as far as closing it goes. */
interface Closable {
  id: string
  organizationId: string
  createdBy: string
  defaultLevel: string | null
}

/** What its creator is granted when a change of the default level closes something: nothing if they have left the organization. */
export async function grantOnClosing(context: Context, object: Grant['object'], { closed, next }: { closed: Closable; next: string | null | undefined }): Promise<Grant | undefined> {
  if (next !== null || closed.defaultLevel === null) return undefined
  const grant = creatorGrant(object, closed)
  const actor = actorOf(context)
  if (closed.createdBy === actor.userId) return grant
  const { users } = await context.people.describePeople({ body: { actor, organization: closed.organizationId, users: [closed.createdBy], teams: [] } })
  return users.length > 0 ? grant : undefined
}
