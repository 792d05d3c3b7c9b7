import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { specificationDatabase } from './database.ts'
import { startOpenApiSpecs } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
await runProcess({
  name: 'openapi-specs',
  settings,
  migrate: only => migrate(specificationDatabase(settings.DATABASE_URL_OPENAPI_SPECS), only),
  start: tools => startOpenApiSpecs(settings, tools),
})
