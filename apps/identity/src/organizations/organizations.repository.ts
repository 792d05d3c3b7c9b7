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
import { ArrayContains } from 'typeorm'
import { MemberEntity, type MemberRow } from '../members/member.entity.ts'
import { OrganizationEntity, type OrganizationRow } from './organization.entity.ts'

const columns = columnsOf(OrganizationEntity, 'o')

const meanings = {
  organizations_hostname: { code: 'conflict', message: 'body.hostname: is taken by another organization' },
} as const

export async function get(db: Db, id: string): Promise<OrganizationRow> {
  const organization = await db.findOneBy(OrganizationEntity, { id })
  if (!organization) throw new Failure('not_found', 'There is no such organization')
  return organization
}

/** The organizations among these ids, newest first. */
export async function listAmong(db: Db, ids: string[], request: ListRequest): Promise<ListPage<OrganizationRow>> {
  const source = { sql: `select ${columns} from organizations o where o.id = any($1)`, values: [ids], ...newestFirst }
  return listPage<OrganizationRow>(db, source, request)
}

/** Organizations that who has an e-mail of this domain may join, and no more than a page of them. */
export async function listByDomain(db: Db, domain: string): Promise<OrganizationRow[]> {
  return db.find(OrganizationEntity, {
    where: { emailDomains: ArrayContains([domain]) },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: 1000,
  })
}

export async function insert(db: Db, organization: OrganizationRow, member: MemberRow): Promise<void> {
  await db.insert(OrganizationEntity, organization)
  await db.insert(MemberEntity, member)
}

export async function save(db: Db, organization: OrganizationRow): Promise<void> {
  await mapConstraintErrors(meanings, () => db.update(OrganizationEntity, { id: organization.id }, organization))
}

export async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const memberships = await db.find(MemberEntity, { select: { organizationId: true }, where: { userId } })
  return memberships.map(({ organizationId }) => organizationId)
}
