import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { Failure } from '@recto/operation'
import { IsNull, Not } from 'typeorm'
import { OidcProviderEntity, type OidcProviderRow } from './provider.entity.ts'

const columns = columnsOf(OidcProviderEntity, 'oidc_providers')

/** An OpenID provider of an organization. */
export interface ProviderKey {
  organization: string
  provider: string
}

type LockMode = 'pessimistic_write' | 'for_key_share'

/** Throws `not_found`, like the other functions that return one provider. */
export async function get(db: Db, key: ProviderKey): Promise<OidcProviderRow> {
  return requireRow(await find(db, key))
}

/** Reads a provider and locks it against changes until the transaction ends. */
export async function getForUpdate(db: Db, key: ProviderKey): Promise<OidcProviderRow> {
  return requireRow(await find(db, key, 'pessimistic_write'))
}

/** Reads a provider and locks it against deletion, not against changes, until the transaction ends. */
export async function getForKeyShare(db: Db, key: ProviderKey): Promise<OidcProviderRow> {
  return requireRow(await find(db, key, 'for_key_share'))
}

/** Locks a provider until the transaction ends; false when it is not there. */
export async function lock(db: Db, key: ProviderKey): Promise<boolean> {
  return (await find(db, key, 'pessimistic_write')) !== null
}

function requireRow(row: OidcProviderRow | null): OidcProviderRow {
  if (!row) throw new Failure('not_found', 'There is no such OpenID provider')
  return row
}

function find(db: Db, { organization, provider }: ProviderKey, mode?: LockMode): Promise<OidcProviderRow | null> {
  return db.findOne(OidcProviderEntity, {
    where: { organizationId: organization, id: provider },
    ...(mode && { lock: { mode } }),
  })
}

export async function list(db: Db, organization: string, request: ListRequest): Promise<ListPage<OidcProviderRow>> {
  const source = {
    sql: `select ${columns} from oidc_providers where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<OidcProviderRow>(db, source, request)
}

/** The providers with issuer, client and secret, whether or not they are complete; at most 1000, newest first. */
export async function listConfigured(db: Db, organization: string): Promise<OidcProviderRow[]> {
  const set = Not(IsNull())
  return db.find(OidcProviderEntity, {
    where: { organizationId: organization, issuer: set, clientId: set, clientSecret: set },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: 1000,
  })
}

/** The providers of all organizations that have a secret, for its encryption anew. */
export async function listWithSecrets(db: Db): Promise<ProviderKey[]> {
  const rows = await db.find(OidcProviderEntity, {
    select: { id: true, organizationId: true },
    where: { clientSecret: Not(IsNull()) },
    order: { id: 'ASC' },
  })
  return rows.map(({ id, organizationId }) => ({ organization: organizationId, provider: id }))
}

export async function insert(db: Db, row: OidcProviderRow): Promise<void> {
  await db.insert(OidcProviderEntity, row)
}

export async function save(db: Db, row: OidcProviderRow): Promise<void> {
  await db.update(OidcProviderEntity, { id: row.id }, row)
}

export async function remove(db: Db, { organization, provider }: ProviderKey): Promise<void> {
  await db.delete(OidcProviderEntity, { organizationId: organization, id: provider })
}
