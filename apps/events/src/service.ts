import type { Actor } from '@recto/actor'
import { busClient } from '@recto/bus'
import { readerCalls } from '@recto/contracts-content-bus'
import { eventsApi } from '@recto/contracts-events'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { siteReaderCalls } from '@recto/contracts-publishing-bus'
import { recordEvents, refusedToMember } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import { compose } from '@recto/operation'
import { createOutgoing } from '@recto/outgoing'
import {
  busSettings,
  databaseLimits,
  type PeriodicWork,
  type RunningService,
  startDatabaseService,
  startScheduler,
} from '@recto/service'
import { createMetrics, type Log, type Metrics } from '@recto/telemetry'
import { auditFeature } from './audit/audit.handlers.ts'
import { eventsDatabase } from './database.ts'
import { feedFeature } from './feed/feed.handlers.ts'
import { recordHandlers } from './record/append-change.ts'
import { listenForArrivals } from './shared/arrivals.ts'
import { listenForChangedRights } from './shared/changed-rights.ts'
import { stuckChangeAppending } from './record/append-stuck-changes.ts'
import { oldEventDeletion } from './record/delete-old-events.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'
import { createDeliveries } from './webhooks/deliver.ts'
import { deleteEnded, waitingState } from './webhooks/deliveries.repository.ts'
import { deliveryPlanning } from './webhooks/plan-deliveries.ts'
import { failuresByWebhook } from './webhooks/webhooks.repository.ts'
import { webhookFeature } from './webhooks/webhooks.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
}

const day = 86_400_000
const hour = 3_600_000
/** Bytes of the reply of an endpoint; what follows is not read. */
const maxReply = 1024 * 1024

const failingEndpoints = {
  name: 'webhook_failures',
  help: 'Attempts in a row that the endpoint of a webhook failed, of the twenty with most',
  label: 'webhook',
}

/** Starts the service of events. */
export async function startEvents(config: Config, parts: Parts): Promise<RunningService> {
  const { OUTGOING_ALLOW: allow, WEBHOOK_TIMEOUT: timeoutMs, SIGNING_SECRET: secrets } = config
  const outgoing = createOutgoing({ allow, timeoutMs, maxBytes: maxReply })
  const metrics = parts.metrics ?? createMetrics('events')
  const service = await startDatabaseService<BaseContext, Actor>({
    name: 'events',
    ...busSettings(config),
    secret: secrets,
    database: eventsDatabase(config.DATABASE_URL_EVENTS, databaseLimits(config)),
    refused: refusedToMember('events'),
    api: compose<BaseContext>()(eventsApi, [feedFeature, auditFeature, webhookFeature]),
    build({ bus, db, transaction, listening }) {
      const arrivals = listenForArrivals(listening)
      const own = {
        publicUrl: config.PUBLIC_URL,
        feedRetention: config.EVENTS_RETENTION * day,
        arrivals,
        rights: listenForChangedRights(bus),
        outgoing,
        signingSecret: secrets,
        content: busClient(bus, readerCalls, { service: 'content' }),
        publishing: busClient(bus, siteReaderCalls, { service: 'publishing' }),
        people: busClient(bus, peopleCalls, { service: 'identity' }),
      }
      const observe = (outcome: { seconds: number; code: string | undefined }) =>
        metrics.operations.observe({ operation: 'webhook', ...outcome })
      const tools = { ...own, db, transaction, log: parts.log, observe }
      const deliveries = createDeliveries(tools)
      const works = [
        stuckChangeAppending(transaction, parts.log),
        oldEventDeletion(transaction, Math.max(config.EVENTS_RETENTION, config.AUDIT_RETENTION) * day),
        oldDeliveryDeletion(db, config.EVENTS_RETENTION * day),
        deliveryPlanning(db, transaction),
        deliveries.work,
      ]
      const scheduler = startScheduler(works, parts.log, listening)
      metrics.registerQueues(async () => ({ webhooks: await waitingState(db) }))
      metrics.registerGauge(failingEndpoints, () => failuresByWebhook(db))
      return {
        context: base => ({ ...base, ...own }),
        events: { events: recordEvents, handlers: recordHandlers },
        endWaits: () => Promise.resolve(arrivals.stop()),
        stop: async () => void (await Promise.all([scheduler.stop(), deliveries.stop()])),
      }
    },
    ...parts,
    metrics,
  })
  return {
    ...service,
    async stop() {
      await service.stop()
      await outgoing.close()
    },
  }
}

/** Deletes deliveries that ended before what the feed keeps. */
function oldDeliveryDeletion(db: Db, retention: number): PeriodicWork {
  const run = () => deleteEnded(db, new Date(Date.now() - retention))
  return { name: 'delete old deliveries', every: hour, run }
}
