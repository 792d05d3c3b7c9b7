import { columnsOf, query, mapConstraintErrors, type Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { UserEntity, type UserRow } from './user.entity.ts'

const columns = columnsOf(UserEntity, 'users')

const meanings = {
  users_email: { code: 'conflict', message: 'A user with this email exists already' },
} as const

export async function get(db: Db, id: string): Promise<UserRow> {
  const user = await db.findOneBy(UserEntity, { id })
  if (!user) throw new Failure('not_found', 'There is no such user')
  return user
}

export async function insert(db: Db, user: UserRow): Promise<UserRow> {
  await mapConstraintErrors(meanings, () => db.insert(UserEntity, user))
  return user
}

/** Changes what is given and keeps the rest. */
export async function update(
  db: Db,
  id: string,
  changes: { displayName?: string | undefined; photoURL?: string | null | undefined },
): Promise<UserRow> {
  const given = {
    ...(changes.displayName !== undefined && { displayName: changes.displayName }),
    ...(changes.photoURL !== undefined && { photoUrl: changes.photoURL }),
  }
  await db.update(UserEntity, { id }, given)
  return get(db, id)
}

export async function findByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return byEmails(db, [email]).then(([user]) => user)
}

/** Users by their e-mails, in any case. */
export async function byEmails(db: Db, emails: string[]): Promise<UserRow[]> {
  return query<UserRow>(db, `select ${columns} from users where lower(email) = any($1)`, [
    emails.map(email => email.toLowerCase()),
  ])
}

export async function exists(db: Db): Promise<boolean> {
  return db.exists(UserEntity)
}
