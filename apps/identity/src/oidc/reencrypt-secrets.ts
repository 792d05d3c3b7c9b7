import type { Secrets } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import { clientSecrets } from './client-secrets.ts'
import * as providers from './providers.repository.ts'

/** The command that encrypts the client secrets of all OpenID providers with the present secret of the installation. */
export function reencryptSecrets(secrets: Secrets): AdminCommand {
  return async (_args, { db, transaction, print }) => {
    const keys = await providers.listWithSecrets(db)
    for (const key of keys)
      await transaction(async tx => {
        if (!(await providers.lock(tx, key))) return
        const row = await providers.get(tx, key)
        if (!row.clientSecret) return
        const secret = clientSecrets.unseal(row.clientSecret, row.id, secrets)
        await providers.save(tx, { ...row, clientSecret: clientSecrets.seal(secret, row.id, secrets) })
      })
    print(`The client secrets of ${keys.length} OpenID providers are encrypted with the present secret.`)
  }
}
