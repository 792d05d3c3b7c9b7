import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  newestFirst,
  mapConstraintErrors,
} from '@recto/database'
import { Failure } from '@recto/operation'
import { Any, ArrayContains } from 'typeorm'
import { OrganizationEntity, type OrganizationRow } from './organization.entity.ts'

/** The table under its alias `o`, for joins in the SQL of other rooms. */
export const organizationsAsO = 'organizations o'

const columns = columnsOf(OrganizationEntity, 'o')

const constraintErrors = {
  organizations_hostname: { code: 'conflict', message: 'body.hostname: is taken by another organization' },
} as const

/** Throws `not_found`. */
export async function get(db: Db, id: string): Promise<OrganizationRow> {
  const organization = await db.findOneBy(OrganizationEntity, { id })
  if (!organization) throw new Failure('not_found', 'There is no such organization')
  return organization
}

/** The organizations with these ids, newest first. */
export async function listByIds(db: Db, ids: string[], request: ListRequest): Promise<ListPage<OrganizationRow>> {
  const source = { sql: `select ${columns} from organizations o where o.id = any($1)`, values: [ids], ...newestFirst }
  return listPage<OrganizationRow>(db, source, request)
}

/** Those organizations that exist, of at most 1000 ids. */
export async function findByIds(db: Db, ids: string[]): Promise<OrganizationRow[]> {
  return db.find(OrganizationEntity, { where: { id: Any(ids) } })
}

/** Organizations that users with an email of this domain may join; at most 1000, newest first. */
export async function listByDomain(db: Db, domain: string): Promise<OrganizationRow[]> {
  return db.find(OrganizationEntity, {
    where: { emailDomains: ArrayContains([domain]) },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: 1000,
  })
}

/** Locks organizations against concurrent changes of who belongs to them, until the transaction ends; in the order of their ids. */
export async function lockOrganizations(db: Db, organizations: string[]): Promise<void> {
  await db.find(OrganizationEntity, {
    select: { id: true },
    where: { id: Any(organizations) },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  })
}

export async function insert(db: Db, organization: OrganizationRow): Promise<void> {
  await db.insert(OrganizationEntity, organization)
}

/** Throws `conflict` when another organization has the hostname. */
export async function save(db: Db, organization: OrganizationRow): Promise<void> {
  await mapConstraintErrors(constraintErrors, () =>
    db.update(OrganizationEntity, { id: organization.id }, organization),
  )
}
