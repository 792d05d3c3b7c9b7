import { columnsOf, query, mapConstraintErrors, type Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { ILike } from 'typeorm'
import { UserEntity, type UserRow } from './user.entity.ts'

const columns = columnsOf(UserEntity, 'users')

/** The fields of a user that replies show. */
export type UserProfile = Pick<UserRow, 'id' | 'email' | 'displayName' | 'photoUrl'>

/** The table under its alias `u`, for joins in the SQL of other rooms. */
export const usersAsU = 'users u'

/** The select list of what replies show of the user `u`, without the id. */
export const profileColumns = columnsOf(UserEntity, 'u', ['email', 'displayName', 'photoUrl'])

/** Whether the user `u` is a service account. */
export const isServiceAccountU = 'u.service_account_of is not null'

/** The text of the user `u` that searches match; the expression of the index `users_search`. */
export const userSearchText = String.raw`(u.display_name || E'\n' || u.email)`

const constraintErrors = {
  users_email: { code: 'conflict', message: 'A user with this email exists already' },
} as const

/** Throws `not_found`. */
export async function get(db: Db, id: string): Promise<UserRow> {
  const user = await db.findOneBy(UserEntity, { id })
  if (!user) throw new Failure('not_found', 'There is no such user')
  return user
}

/** Throws `conflict` when another user has the email, in any case. */
export async function insert(db: Db, user: UserRow): Promise<UserRow> {
  await mapConstraintErrors(constraintErrors, () => db.insert(UserEntity, user))
  return user
}

/** Changes the given fields and keeps the rest. */
export async function update(
  db: Db,
  id: string,
  changes: { displayName?: string | undefined; photoURL?: string | null | undefined },
): Promise<UserRow> {
  const values = {
    ...(changes.displayName !== undefined && { displayName: changes.displayName }),
    ...(changes.photoURL !== undefined && { photoUrl: changes.photoURL }),
  }
  await db.update(UserEntity, { id }, values)
  return get(db, id)
}

/** Records that a platform administrator asserts the email of a user, and names them. */
export async function confirmEmail(db: Db, id: string, displayName: string): Promise<UserRow> {
  await db.update(UserEntity, { id }, { emailAssertedBy: null, displayName })
  return get(db, id)
}

/** Changes the email of a user; throws `conflict` when another user has it, in any case. */
export async function setEmail(db: Db, id: string, email: string): Promise<void> {
  await mapConstraintErrors(constraintErrors, () => db.update(UserEntity, { id }, { email }))
}

/** Users whose name or email contains a text, in any case; at most a thousand, by email. */
export async function search(db: Db, text: string): Promise<UserRow[]> {
  const contains = ILike(`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  return db.find(UserEntity, {
    where: [{ email: contains }, { displayName: contains }],
    order: { email: 'ASC' },
    take: 1_000,
  })
}

/** The user with this email, in any case. */
export async function findByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return findByEmails(db, [email]).then(([user]) => user)
}

/** The users with these emails, in any case. */
export async function findByEmails(db: Db, emails: string[]): Promise<UserRow[]> {
  return query<UserRow>(db, `select ${columns} from users where lower(email) = any($1)`, [
    emails.map(email => email.toLowerCase()),
  ])
}

/** Whether there is any user. */
export async function exists(db: Db): Promise<boolean> {
  return db.exists(UserEntity)
}
