import type { Secrets } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import { clientSecrets, siteKeys } from './keys.ts'
import * as auth from './site-auth.repository.ts'
import * as siteOidc from './site-oidc.repository.ts'

/** `reencrypt`: encrypts the keys of sites anew with the current secret, so that those before it are not needed any more. */
export function reencryptCommand(secrets: Secrets): AdminCommand {
  return async (_args, { db, transaction, print }) => {
    const sites = await auth.listSites(db)
    for (const site of sites)
      await transaction(async tx => {
        const row = await auth.lock(tx, site)
        if (!row) return
        const again = (sealed: Buffer) => siteKeys.seal(siteKeys.unseal(sealed, site, secrets), site, secrets)
        const previousKey = row.previousKey && again(row.previousKey)
        await auth.update(tx, site, { privateKey: again(row.privateKey), previousKey })
      })
    print(`The keys of ${sites.length} sites were encrypted anew.`)
  }
}

/** A part of `reencrypt`: encrypts the secrets of OpenID clients anew. Sessions of visitors that a former secret encrypted end with it. */
export function reencryptClientSecrets(secrets: Secrets): AdminCommand {
  return async (_args, { db, transaction, print }) => {
    const sites = await siteOidc.listSites(db)
    for (const site of sites)
      await transaction(async tx => {
        const row = await siteOidc.lock(tx, site)
        if (!row?.clientSecret) return
        const clientSecret = clientSecrets.unseal(row.clientSecret, site, secrets)
        await siteOidc.save(tx, { ...row, clientSecret: clientSecrets.seal(clientSecret, site, secrets) })
      })
    print(`The secrets of ${sites.length} OpenID providers were encrypted anew.`)
  }
}
