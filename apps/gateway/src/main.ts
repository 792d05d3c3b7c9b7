import { createLog, createMetrics, runService, startTelemetry } from '@recto/telemetry'
import { config } from './config.ts'
import { startGateway } from './service.ts'

const settings = config()
const log = createLog({ service: 'gateway', level: settings.LOG_LEVEL })
const metrics = createMetrics('gateway')
const telemetry = await startTelemetry({ service: 'gateway' })
await runService({
  name: 'gateway',
  log,
  metrics,
  telemetry,
  graceMs: settings.SHUTDOWN_GRACE,
  healthPort: settings.HEALTH_PORT,
  start: process => startGateway(settings, { log, metrics, process }),
})
