import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { config } from './shared/config.ts'
import { identityDatabase } from './database.ts'
import { seed } from './seed/seed.ts'
import { startIdentity } from './service.ts'

const settings = config()
await runProcess({
  name: 'identity',
  settings,
  migrate: only => migrate(identityDatabase(settings.DATABASE_URL_IDENTITY), only),
  commands: { seed: args => seed(identityDatabase(settings.DATABASE_URL_IDENTITY), args) },
  start: tools => startIdentity(settings, tools),
})
