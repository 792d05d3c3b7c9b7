import { busClient, type Bus } from '@recto/bus'
import { acknowledge, type Db } from '@recto/database'
import { feature, operations } from '@recto/operation'
import { z } from 'zod'

/** Events that one request acknowledges. */
const maxIds = 1_000

/** Operations that every service serves for the consumers of its events. */
export const eventCalls = operations({
  acknowledgeEvents: {
    summary: 'Acknowledge events that a consumer has processed, so that they are not redelivered',
    body: z.object({ ids: z.array(z.string()).max(maxIds), consumer: z.string() }),
    reply: z.object({}),
  },
})

/** Implements `eventCalls` on the service's outbox. */
export function eventCallHandlers(db: Db) {
  return feature<object>()(eventCalls, {
    async acknowledgeEvents({ body }) {
      await acknowledge(db, body.ids, body.consumer)
      return {}
    },
  })
}

/** Acknowledges events in the outboxes of their publishers. */
export interface Acknowledgements {
  /** Resolves once the publisher has stored it; rejects with the `Failure` of its reply. */
  send(publisher: string, id: string): Promise<void>
}

/**
 * Creates acknowledgements of a service: directly in its own outbox, else over the bus. Events that are processed while a request is on its
 * way go together with the next one.
 */
export function createAcknowledgements(bus: Bus, db: Db): Acknowledgements {
  const acknowledgeAll = async (publisher: string, ids: string[]): Promise<void> => {
    const body = { ids, consumer: bus.service }
    if (publisher === bus.service) await acknowledge(db, body.ids, body.consumer)
    else await busClient(bus, eventCalls, { service: publisher }).acknowledgeEvents({ body })
  }
  const batches = new Map<string, ReturnType<typeof createBatches>>()
  return {
    send(publisher, id) {
      const own = batches.get(publisher) ?? createBatches(ids => acknowledgeAll(publisher, ids))
      batches.set(publisher, own)
      return own(id)
    },
  }
}

/** Sends ids, one request at a time: those that come meanwhile share the next one, and its outcome. */
function createBatches(send: (ids: string[]) => Promise<void>): (id: string) => Promise<void> {
  let waiting: { ids: string[]; sent: Promise<void> } | undefined
  let last = Promise.resolve()
  return id => {
    if (waiting && waiting.ids.length < maxIds) {
      waiting.ids.push(id)
      return waiting.sent
    }
    const batch = { ids: [id], sent: last }
    batch.sent = last.then(() => {
      if (waiting === batch) waiting = undefined
      return send(batch.ids)
    })
    last = batch.sent.catch(() => undefined)
    waiting = batch
    return batch.sent
  }
}
