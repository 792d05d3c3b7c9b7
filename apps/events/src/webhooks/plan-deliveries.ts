import type { Db } from '@recto/database'
import { createId } from '@recto/operation'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as events from '../record/events.repository.ts'
import { orderKeyOf } from './delivery.rules.ts'
import * as deliveries from './deliveries.repository.ts'
import * as webhooks from './webhooks.repository.ts'

/** Deliveries of a webhook that may wait: the events behind them wait in the record, whatever their number. */
const window = 1_000
/** Events that one transaction plans, and webhooks of one look. */
const batch = 200
const webhooksAtOnce = 50

/** Makes deliveries of the events that webhooks have not had yet. */
export function deliveryPlanning(db: Db, transaction: RunTransaction): PeriodicWork {
  return {
    name: 'plan deliveries of webhooks',
    every: 100,
    rows: {
      tables: ['event_sequences', 'webhooks', 'webhook_deliveries'],
      untilDue: async () => ((await webhooks.listBehind(db, window, 1)).length > 0 ? 0 : Infinity),
    },
    run: async signal => {
      while (!signal.aborted) {
        const ids = await webhooks.listBehind(db, window, webhooksAtOnce)
        for (const id of ids) if (!signal.aborted) await plan(transaction, id)
        if (ids.length < webhooksAtOnce) return
      }
    },
  }
}

async function plan(transaction: RunTransaction, id: string): Promise<void> {
  await transaction(async tx => {
    const webhook = await webhooks.lock(tx, id)
    if (!webhook?.enabled) return
    const { organizationId, cursor, types, spaceId, siteId, pausedUntil } = webhook
    const { last } = await events.findSequence(tx, organizationId)
    const filter = {
      organizationId,
      after: cursor,
      ...(types.length > 0 && { types }),
      subjects: [spaceId, siteId].filter(each => each !== null),
    }
    const rows = await events.listAfter(tx, filter, batch)
    const now = new Date()
    const dueAt = pausedUntil && pausedUntil > now ? pausedUntil : now
    const planned = rows.map(event => ({
      id: createId(),
      webhookId: id,
      organizationId,
      sequence: event.sequence,
      eventId: event.id,
      eventType: event.type,
      orderKey: orderKeyOf(event),
      state: 'waiting',
      attempts: 0,
      failures: 0,
      heartbeatAt: null,
      dueAt,
      log: [],
      createdAt: now,
      endedAt: null,
    }))
    await deliveries.insert(tx, planned)
    const lastPlanned = rows.at(-1)?.sequence ?? cursor
    // Events that are not for this webhook are done with, too. An event that was appended meanwhile may be planned already.
    const end = rows.length < batch ? Math.max(last, lastPlanned) : lastPlanned
    await webhooks.update(tx, id, { cursor: end })
  })
}
