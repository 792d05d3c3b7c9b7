import { migrate } from '@recto/database'
import { runProcess } from '@recto/service'
import { specificationDatabase } from './database.ts'
import { startOpenApiSpecs } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
await runProcess({
  name: 'openapi-specs',
  settings,
  migrate: () => migrate(specificationDatabase(settings.DATABASE_URL_OPENAPI_SPECS)),
  start: tools => startOpenApiSpecs(settings, tools),
})
