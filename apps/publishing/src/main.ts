import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { reencryptClientSecrets, reencryptCommand } from './publishing-auth/reencrypt-command.ts'
import { reencryptHeaders } from './mcp-servers/reencrypt-headers.ts'
import { publishingDatabase } from './database.ts'
import { startPublishing } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
const { SIGNING_SECRET: secrets } = settings
const database = publishingDatabase(settings.DATABASE_URL_PUBLISHING)
const reencryptions = [reencryptCommand(secrets), reencryptClientSecrets(secrets), reencryptHeaders(secrets)]
export const ended = runProcess({
  name: 'publishing',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database, {
    reencrypt: async (args, context) => {
      for (const reencrypt of reencryptions) await reencrypt(args, context)
    },
  }),
  start: tools => startPublishing(settings, tools),
})
