import type { OpenIdSettings } from '@recto/openid'
import type { Db } from '@recto/database'
import type { Secrets } from '@recto/operation'
import { clientSecrets } from './keys.ts'
import { SiteOidcEntity, type SiteOidcRow } from './site-oidc.entity.ts'

/** The OpenID provider of a site. */
export async function find(db: Db, siteId: string): Promise<SiteOidcRow | undefined> {
  return (await db.findOneBy(SiteOidcEntity, { siteId })) ?? undefined
}

/** As `find`; it stays as it is until the transaction ends, for any number of sign-ins at once. */
export async function findUnchanged(db: Db, siteId: string): Promise<SiteOidcRow | undefined> {
  return (await db.findOne(SiteOidcEntity, { where: { siteId }, lock: { mode: 'pessimistic_read' } })) ?? undefined
}

/** As `find`, and locks it until the transaction ends. */
export async function lock(db: Db, siteId: string): Promise<SiteOidcRow | undefined> {
  return (await db.findOne(SiteOidcEntity, { where: { siteId }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Ids of the sites that have a provider. */
export async function listSites(db: Db): Promise<string[]> {
  const rows = await db.find(SiteOidcEntity, { select: { siteId: true } })
  return rows.map(({ siteId }) => siteId)
}

/** Sets the provider of a site. */
export async function save(db: Db, row: SiteOidcRow): Promise<void> {
  await db.upsert(SiteOidcEntity, row, ['siteId'])
}

/** Removes the provider of a site. */
export async function remove(db: Db, siteId: string): Promise<void> {
  await db.delete(SiteOidcEntity, { siteId })
}

/** The provider as the client of the protocol takes it, with its secret; throws where the secret that encrypted that is lost. */
export function openIdSettings(
  { siteId, issuer, clientId, clientSecret }: SiteOidcRow,
  secret: Secrets,
): OpenIdSettings {
  const secretText = clientSecret && clientSecrets.unseal(clientSecret, siteId, secret)
  return { issuer, clientId, ...(secretText !== null && { clientSecret: secretText }) }
}
