import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { publishingDatabase } from './database.ts'
import { startPublishing } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
await runProcess({
  name: 'publishing',
  settings,
  migrate: () => migrate(publishingDatabase(settings.DATABASE_URL_PUBLISHING)),
  start: tools => startPublishing(settings, tools),
})
