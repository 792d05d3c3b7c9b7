import { createBlobStore } from '@recto/blobs'
import type { AdminCommand } from '@recto/service'
import type { Config } from '../shared/config.ts'
import { checkCommand } from './check-command.ts'
import { purgeSpaces, reindexSpaces } from './space-commands.ts'

/** The administration commands of content. */
export function contentCommands({ BLOB_URL }: Pick<Config, 'BLOB_URL'>): Record<string, AdminCommand> {
  return {
    purge: purgeSpaces,
    reindex: reindexSpaces,
    async check(args, context) {
      const blobs = createBlobStore({ url: BLOB_URL })
      await checkCommand(blobs)(args, context).finally(() => blobs.close())
    },
  }
}
