import { createLog, createMetrics, runService, startTelemetry } from '@recto/telemetry'
import { config } from './config.ts'
import { startGitWorker } from './service.ts'

const settings = config()
const log = createLog({ service: 'git-worker', level: settings.LOG_LEVEL })
const metrics = createMetrics('git-worker')
const telemetry = await startTelemetry({ service: 'git-worker' })
await runService({ name: 'git-worker', log, metrics, telemetry, healthPort: settings.HEALTH_PORT, start: () => startGitWorker(settings, { log, metrics }) })
