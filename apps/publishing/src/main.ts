import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { publishingDatabase } from './database.ts'
import { startPublishing } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
await runProcess({
  name: 'publishing',
  settings,
  migrate: only => migrate(publishingDatabase(settings.DATABASE_URL_PUBLISHING), only),
  start: tools => startPublishing(settings, tools),
})
