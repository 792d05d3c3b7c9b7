import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { reencryptCommand } from './publishing-auth/reencrypt-command.ts'
import { publishingDatabase } from './database.ts'
import { startPublishing } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
const database = publishingDatabase(settings.DATABASE_URL_PUBLISHING)
await runProcess({
  name: 'publishing',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database, { reencrypt: reencryptCommand(settings.SIGNING_SECRET) }),
  start: tools => startPublishing(settings, tools),
})
