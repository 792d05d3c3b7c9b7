import { migrate } from '@recto/database'
import { createLog, createMetrics, runService, startTelemetry } from '@recto/telemetry'
import { config } from './config.ts'
import { contentDatabase } from './database.ts'
import { startContent } from './service.ts'

const settings = config()
if (process.argv[2] === 'migrate') {
  await migrate(contentDatabase(settings.DATABASE_URL_CONTENT))
} else {
  const log = createLog({ service: 'content', level: settings.LOG_LEVEL })
  const metrics = createMetrics('content')
  const telemetry = await startTelemetry({ service: 'content' })
  await runService({ name: 'content', log, metrics, telemetry, healthPort: settings.HEALTH_PORT, start: () => startContent(settings, { log, metrics }) })
}
