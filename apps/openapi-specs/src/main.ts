import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { specificationDatabase } from './database.ts'
import { startOpenApiSpecs } from './service.ts'
import { config } from './shared/config.ts'

const settings = config()
const database = specificationDatabase(settings.DATABASE_URL_OPENAPI_SPECS)
export const ended = runProcess({
  name: 'openapi-specs',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database),
  start: tools => startOpenApiSpecs(settings, tools),
})
