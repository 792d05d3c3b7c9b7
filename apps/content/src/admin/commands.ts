import { createBlobStore } from '@recto/blobs'
import type { AdminCommand } from '@recto/service'
import type { Config } from '../shared/config.ts'
import { checkCommand } from './check-command.ts'
import { gitOperations } from './operation-commands.ts'
import { reencryptCommand } from './reencrypt-command.ts'
import { purgeSpaces, reindexSpaces } from './space-commands.ts'

/** The commands of administration that content has. */
export function contentCommands({
  BLOB_URL,
  ENCRYPTION_KEY,
}: Pick<Config, 'BLOB_URL' | 'ENCRYPTION_KEY'>): Record<string, AdminCommand> {
  return {
    operations: gitOperations,
    purge: purgeSpaces,
    reindex: reindexSpaces,
    reencrypt: reencryptCommand(ENCRYPTION_KEY),
    async check(args, context) {
      const blobs = createBlobStore({ url: BLOB_URL })
      await checkCommand(blobs)(args, context).finally(() => blobs.close())
    },
  }
}
