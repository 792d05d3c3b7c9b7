import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { gitOperations } from './admin/operation-commands.ts'
import { reencryptCommand } from './admin/reencrypt-command.ts'
import { gitDatabase } from './database.ts'
import { startGitWorker } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
const database = gitDatabase(settings.DATABASE_URL_GIT_WORKER)
export const ended = runProcess({
  name: 'git-worker',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database, {
    operations: gitOperations,
    reencrypt: reencryptCommand(settings.ENCRYPTION_KEY),
  }),
  start: tools => startGitWorker(settings, tools),
})
