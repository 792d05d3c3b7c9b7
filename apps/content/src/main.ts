import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { contentCommands } from './admin/commands.ts'
import { contentDatabase } from './database.ts'
import { startContent } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
const database = contentDatabase(settings.DATABASE_URL_CONTENT)
export const ended = runProcess({
  name: 'content',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database, contentCommands(settings)),
  start: tools => startContent(settings, tools),
})
