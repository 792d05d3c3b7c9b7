import { withMeanings, type Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { UserEntity, type UserRow } from './user.entity.ts'

const meanings = {
  users_email: { code: 'conflict', message: 'A user with this email exists already' },
} as const

export async function get(db: Db, id: string): Promise<UserRow> {
  const user = await db.findOneBy(UserEntity, { id })
  if (!user) throw new Failure('not_found', 'There is no such user')
  return user
}

export async function insert(db: Db, user: UserRow): Promise<UserRow> {
  await withMeanings(meanings, () => db.insert(UserEntity, user))
  return user
}

export async function exists(db: Db): Promise<boolean> {
  return db.exists(UserEntity)
}
