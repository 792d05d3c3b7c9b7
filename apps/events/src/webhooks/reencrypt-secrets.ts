import type { AdminCommand } from '@recto/service'
import type { Secrets } from '@recto/operation'
import { webhookSecrets } from './secrets.ts'
import * as webhooks from './webhooks.repository.ts'

/** The command that encrypts the secrets of all webhooks with the present secret of the installation. */
export function reencryptSecrets(secrets: Secrets): AdminCommand {
  return async (_args, { db, transaction, print }) => {
    const ids = await webhooks.listIds(db)
    for (const id of ids)
      await transaction(async tx => {
        const webhook = await webhooks.lock(tx, id)
        if (!webhook) return
        const renewed = (sealed: Buffer) => webhookSecrets.seal(webhookSecrets.unseal(sealed, id, secrets), id, secrets)
        const { secret, formerSecret } = webhook
        await webhooks.update(tx, id, {
          secret: renewed(secret),
          formerSecret: formerSecret && renewed(formerSecret),
        })
      })
    print(`The secrets of ${ids.length} webhooks are encrypted with the present secret.`)
  }
}
