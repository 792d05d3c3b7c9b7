import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { contentDatabase } from './database.ts'
import { startContent } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
await runProcess({
  name: 'content',
  settings,
  migrate: only => migrate(contentDatabase(settings.DATABASE_URL_CONTENT), only),
  start: tools => startContent(settings, tools),
})
