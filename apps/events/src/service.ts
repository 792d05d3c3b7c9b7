import type { Actor } from '@recto/actor'
import { busClient } from '@recto/bus'
import { readerCalls } from '@recto/contracts-content-bus'
import { eventsApi } from '@recto/contracts-events'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { siteReaderCalls } from '@recto/contracts-publishing-bus'
import { recordEvents } from '@recto/contracts-shared'
import { compose } from '@recto/operation'
import { databaseLimits, startDatabaseService, startScheduler, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { auditFeature } from './audit/audit.handlers.ts'
import { eventsDatabase } from './database.ts'
import { feedFeature } from './feed/feed.handlers.ts'
import { recordHandlers } from './record/append-change.ts'
import { listenForArrivals } from './shared/arrivals.ts'
import { oldEventDeletion } from './record/delete-old-events.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
}

const day = 86_400_000

/** Starts the service of events. */
export function startEvents(config: Config, parts: Parts): Promise<RunningService> {
  return startDatabaseService<BaseContext, Actor>({
    name: 'events',
    natsUrl: config.NATS_URL,
    callTimeout: config.CALL_TIMEOUT,
    secret: config.SIGNING_SECRET,
    database: eventsDatabase(config.DATABASE_URL_EVENTS, databaseLimits(config)),
    api: compose<BaseContext>()(eventsApi, [feedFeature, auditFeature]),
    build({ bus, transaction, listening }) {
      const arrivals = listenForArrivals(listening)
      const retention = Math.max(config.EVENTS_RETENTION, config.AUDIT_RETENTION) * day
      const scheduler = startScheduler([oldEventDeletion(transaction, retention)], parts.log, listening)
      const own = {
        publicUrl: config.PUBLIC_URL,
        feedRetention: config.EVENTS_RETENTION * day,
        arrivals,
        content: busClient(bus, readerCalls, { service: 'content' }),
        publishing: busClient(bus, siteReaderCalls, { service: 'publishing' }),
        people: busClient(bus, peopleCalls, { service: 'identity' }),
      }
      return {
        context: base => ({ ...base, ...own }),
        events: { events: recordEvents, handlers: recordHandlers },
        endWaits: () => Promise.resolve(arrivals.stop()),
        stop: () => scheduler.stop(),
      }
    },
    ...parts,
  })
}
