import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { verifyAudit } from './audit/verify-audit.command.ts'
import { eventsDatabase } from './database.ts'
import { startEvents } from './service.ts'
import { deliveriesCommand } from './webhooks/deliveries.command.ts'
import { reencryptSecrets } from './webhooks/reencrypt-secrets.ts'
import { config } from './shared/config.ts'

const settings = config()
const database = eventsDatabase(settings.DATABASE_URL_EVENTS)
export const ended = runProcess({
  name: 'events',
  settings,
  migrate: only => migrate(database, only),
  commands: databaseCommands(database, {
    'verify-audit': verifyAudit,
    deliveries: deliveriesCommand,
    reencrypt: reencryptSecrets(settings.SIGNING_SECRET),
  }),
  start: tools => startEvents(settings, tools),
})
