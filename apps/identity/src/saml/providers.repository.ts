import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { Failure } from '@recto/operation'
import { IsNull, Not } from 'typeorm'
import { SamlProviderEntity, type ProviderRow } from './provider.entity.ts'

const columns = columnsOf(SamlProviderEntity, 'saml_providers')

/** A SAML provider of an organization. */
export interface ProviderKey {
  organization: string
  provider: string
}

/** Throws `not_found`, like the other functions that return one provider. */
export async function get(db: Db, key: ProviderKey): Promise<ProviderRow> {
  return getLocked(db, key)
}

/** Reads a provider and locks it against changes until the transaction ends. */
export async function getForUpdate(db: Db, key: ProviderKey): Promise<ProviderRow> {
  return getLocked(db, key, 'pessimistic_write')
}

/** Reads a provider and locks it against deletion, not against changes, until the transaction ends. */
export async function getForKeyShare(db: Db, key: ProviderKey): Promise<ProviderRow> {
  return getLocked(db, key, 'for_key_share')
}

async function getLocked(db: Db, key: ProviderKey, mode?: LockMode): Promise<ProviderRow> {
  const provider = await find(db, key, mode)
  if (!provider) throw new Failure('not_found', 'There is no such SAML provider')
  return provider
}

/** Locks a provider until the transaction ends; false when it is not there. */
export async function lock(db: Db, key: ProviderKey): Promise<boolean> {
  return (await find(db, key, 'pessimistic_write')) !== null
}

type LockMode = 'pessimistic_write' | 'for_key_share'

function find(db: Db, { organization, provider }: ProviderKey, mode?: LockMode): Promise<ProviderRow | null> {
  return db.findOne(SamlProviderEntity, {
    where: { organizationId: organization, id: provider },
    ...(mode && { lock: { mode } }),
  })
}

export async function list(db: Db, organization: string, request: ListRequest): Promise<ListPage<ProviderRow>> {
  const source = {
    sql: `select ${columns} from saml_providers where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<ProviderRow>(db, source, request)
}

/** The providers with address, entity id and certificate, whether or not it is usable; at most 1000, newest first. */
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

export async function remove(db: Db, { organization, provider }: ProviderKey): Promise<void> {
  await db.delete(SamlProviderEntity, { organizationId: organization, id: provider })
}
