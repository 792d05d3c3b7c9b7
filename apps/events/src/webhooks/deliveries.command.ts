import { tableLine, type AdminCommand } from '@recto/service'
import { listWaiting } from './deliveries.repository.ts'

/** Lists the webhooks with events that wait to be sent. After a restore these may have been sent before, under the same `webhook-id`. */
export const deliveriesCommand: AdminCommand = async (_args, { db, print }) => {
  print(tableLine('organization', 'webhook', 'events that will be sent'))
  for (const { organization, webhook, count } of await listWaiting(db)) print(tableLine(organization, webhook, count))
}
