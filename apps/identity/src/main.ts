import { migrate } from '@recto/database'
import { createLog, createMetrics, runService, startTelemetry } from '@recto/telemetry'
import { config } from './config.ts'
import { identityDatabase } from './database.ts'
import { startIdentity } from './service.ts'

const settings = config()
if (process.argv[2] === 'migrate') {
  await migrate(identityDatabase(settings.DATABASE_URL_IDENTITY))
} else {
  const log = createLog({ service: 'identity', level: settings.LOG_LEVEL })
  const metrics = createMetrics('identity')
  const telemetry = await startTelemetry({ service: 'identity' })
  await runService({ name: 'identity', log, metrics, telemetry, healthPort: settings.HEALTH_PORT, start: () => startIdentity(settings, { log, metrics }) })
}
