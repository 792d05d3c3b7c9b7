import type { Db } from '@recto/database'
import { isActive, serviceUrls } from './provider.rules.ts'
import * as providers from './providers.repository.ts'

/** The OpenID providers of an organization that members can sign in with, and where. */
export async function oidcLogins(db: Db, organization: string, publicUrl: string) {
  const active = (await providers.listConfigured(db, organization)).filter(isActive)
  return active.map(row => ({ id: row.id, label: row.label, startURL: serviceUrls(row, publicUrl).startURL }))
}
