import { readCursor, signCursor, type ListPage, type PageRequest } from '@recto/database'
import type { Role } from '@recto/actor'

/** A user with their role. */
export interface UserRole {
  id: string
  role: Role
}

/** A page of users by their ids: the cursor holds the last one, so a page is stable while users come and go. */
export function pageOfUsers(users: UserRole[], { page, limit }: PageRequest, cursorKey: string): ListPage<UserRole> {
  const [after] = page === undefined ? [undefined] : (readCursor(page, cursorKey) as [string])
  const rest = users.filter(({ id }) => after === undefined || id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    count: users.length,
    ...(last && rest.length > items.length && { next: { page: signCursor([last.id], cursorKey) } }),
  }
}
