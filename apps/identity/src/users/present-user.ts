import type { Actor } from '@recto/actor'
import { canSeeUser } from './users.policy.ts'
import type { UserProfile } from './users.repository.ts'

/** A user as replies show them. */
export function presentUser(user: UserProfile, publicUrl: string) {
  return {
    object: 'user' as const,
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    ...(user.photoUrl !== null && { photoURL: user.photoUrl }),
    urls: { location: `${publicUrl}/v1/users/${user.id}` },
  }
}

/** A user of an organization as an actor sees them there: guests learn the names of others, and not their emails. */
export function presentUserTo(
  { actor, publicUrl }: { actor: Actor; publicUrl: string },
  organization: string,
  user: UserProfile,
) {
  const { email, ...presented } = presentUser(user, publicUrl)
  return { ...presented, ...(canSeeUser(actor, user.id, [organization]) && { email }) }
}
