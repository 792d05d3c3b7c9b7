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
