import { type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { Failure } from '@recto/operation'
import type { ProviderRow } from './provider.entity.ts'

const columns = `id, organization_id as "organizationId", label, sso_url as "ssoUrl", entity_id as "entityId", certificate,
  default_team as "defaultTeam", default_role as "defaultRole", created_at as "createdAt"`

export interface Which {
  organization: string
  provider: string
}

export async function get(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which, '')
}

/** Reads a provider and keeps others from changing it until the transaction ends. */
export async function lock(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which, 'for update')
}

/** Reads a provider and keeps it from being deleted until the transaction ends, not from being changed. */
export async function hold(db: Db, which: Which): Promise<ProviderRow> {
  return one(db, which, 'for key share')
}

async function one(db: Db, { organization, provider }: Which, locking: string): Promise<ProviderRow> {
  const [found] = await query<ProviderRow>(db, `select ${columns} from saml_providers where organization_id = $1 and id = $2 ${locking}`, [organization, provider])
  if (!found) throw new Failure('not_found', 'There is no such SAML provider')
  return found
}

export async function listOf(db: Db, organization: string, request: ListRequest): Promise<ListPage<ProviderRow>> {
  const source = { sql: `select ${columns} from saml_providers where organization_id = $1`, values: [organization], ...newestFirst }
  return listPage<ProviderRow>(db, source, request)
}

/** The providers that have all it takes, whether or not it can be read, and no more than a page of them. */
export async function listConfigured(db: Db, organization: string): Promise<ProviderRow[]> {
  return query<ProviderRow>(
    db,
    `select ${columns} from saml_providers
     where organization_id = $1 and sso_url is not null and entity_id is not null and certificate is not null
     order by created_at desc, id desc limit 1000`,
    [organization],
  )
}

export async function insert(db: Db, row: ProviderRow): Promise<void> {
  await query(
    db,
    `insert into saml_providers (id, organization_id, label, sso_url, entity_id, certificate, default_team, default_role, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [row.id, row.organizationId, row.label, row.ssoUrl, row.entityId, row.certificate, row.defaultTeam, row.defaultRole, row.createdAt],
  )
}

export async function save(db: Db, row: ProviderRow): Promise<void> {
  await query(
    db,
    'update saml_providers set label = $2, sso_url = $3, entity_id = $4, certificate = $5, default_team = $6, default_role = $7 where id = $1',
    [row.id, row.label, row.ssoUrl, row.entityId, row.certificate, row.defaultTeam, row.defaultRole],
  )
}

export async function remove(db: Db, { organization, provider }: Which): Promise<void> {
  await query(db, 'delete from saml_providers where organization_id = $1 and id = $2', [organization, provider])
}
