import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { Failure } from '@recto/operation'
import { IsNull, Not } from 'typeorm'
import { SamlProviderEntity, type ProviderRow } from './provider.entity.ts'

const columns = columnsOf(SamlProviderEntity, 'saml_providers')

export interface Which {
  organization: string
  provider: string
}

export async function get(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which)
}

/** Reads a provider and keeps others from changing it until the transaction ends. */
export async function lock(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which, 'pessimistic_write')
}

/** Reads a provider and keeps it from being deleted until the transaction ends, not from being changed. */
export async function hold(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which, 'for_key_share')
}

async function one(
  db: Db,
  { organization, provider }: Which,
  mode?: 'pessimistic_write' | 'for_key_share',
): Promise<ProviderRow> {
  const found = await db.findOne(SamlProviderEntity, {
    where: { organizationId: organization, id: provider },
    ...(mode && { lock: { mode } }),
  })
  if (!found) throw new Failure('not_found', 'There is no such SAML provider')
  return found
}

export async function listOf(db: Db, organization: string, request: ListRequest): Promise<ListPage<ProviderRow>> {
  const source = {
    sql: `select ${columns} from saml_providers where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<ProviderRow>(db, source, request)
}

/** The providers that have all it takes, whether or not it can be read, and no more than a page of them. */
export async function listConfigured(db: Db, organization: string): Promise<ProviderRow[]> {
  const set = Not(IsNull())
  return db.find(SamlProviderEntity, {
    where: { organizationId: organization, ssoUrl: set, entityId: set, certificate: set },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: 1000,
  })
}

export async function insert(db: Db, row: ProviderRow): Promise<void> {
  await db.insert(SamlProviderEntity, row)
}

export async function save(db: Db, row: ProviderRow): Promise<void> {
  await db.update(SamlProviderEntity, { id: row.id }, row)
}

export async function remove(db: Db, { organization, provider }: Which): Promise<void> {
  await db.delete(SamlProviderEntity, { organizationId: organization, id: provider })
}
