import type { Secrets } from '@recto/operation'
import type { AdminCommand, CommandContext } from '@recto/service'
import { seal, unseal } from '../shared/credentials.ts'
import * as operations from '../operations/git-operations.repository.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { sealStatusApi, statusApiOf } from '../syncs/preview-settings.ts'
import { credentialsOf, sealWebhookSecret, webhookSecretOf } from '../syncs/set-sync.ts'

/** `reencrypt` encrypts all credentials with the current key, so that earlier keys are not needed any more. */
export function reencryptCommand(keys: Secrets): AdminCommand {
  return async (_args, context) => {
    const spaces = await syncs.listSpaces(context.db)
    for (const space of spaces) await reencryptSync(space, keys, context)
    const ids = await operations.listWithCredentials(context.db)
    for (const id of ids) await reencryptOperation(id, keys, context)
    context.print(
      `The credentials of ${spaces.length} synchronised spaces and ${ids.length} git operations were encrypted anew.`,
    )
  }
}

function reencryptSync(space: string, keys: Secrets, { transaction }: CommandContext): Promise<void> {
  return transaction(async tx => {
    const sync = await syncs.lock(tx, space)
    if (!sync) return
    const credentials = credentialsOf(sync, keys)
    await syncs.update(tx, sync, {
      credentials: credentials ? seal(credentials, sync.id, keys) : null,
      webhookSecret: sealWebhookSecret(webhookSecretOf(sync, keys), sync.id, keys),
      statusToken: sealStatusApi(statusApiOf(sync, keys), sync.id, keys),
    })
  })
}

function reencryptOperation(id: string, keys: Secrets, { transaction }: CommandContext): Promise<void> {
  return transaction(async tx => {
    const operation = await operations.lock(tx, id)
    if (!operation?.credentials) return
    await operations.update(tx, id, { credentials: seal(unseal(operation.credentials, id, keys), id, keys) })
  })
}
