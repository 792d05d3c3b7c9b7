import type { UserRow } from './user.entity.ts'

/** A user as replies embed them. */
export function presentUser(user: Pick<UserRow, 'id' | 'displayName' | 'email' | 'photoUrl'>, publicUrl: string) {
  return {
    object: 'user' as const,
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    ...(user.photoUrl !== null && { photoURL: user.photoUrl }),
    urls: { location: `${publicUrl}/v1/users/${user.id}` },
  }
}
