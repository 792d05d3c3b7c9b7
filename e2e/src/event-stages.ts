import { lockRow } from '@recto/testing'
import { databaseUrl, untilAwaited } from './databases.ts'
import type { Endpoint } from './endpoint.ts'
import type { Hold } from './git-proxy.ts'
import type { BusMessage, NatsProxy } from './nats-proxy.ts'

/** Where the event of a change is kept back. */
export interface HeldEvent {
  organizationId: string
  webhookId: string
  endpoint: Endpoint
  nats: NatsProxy
  dataDir: string
}

/** A stage on the way from a change to its endpoint, at which a fault finds its event. */
export interface EventStage {
  name: string
  hold(held: HeldEvent): Hold | Promise<Hold>
}

async function onRow({ dataDir }: HeldEvent, row: { table: string; id: string; column?: string }): Promise<Hold> {
  const locked = await lockRow(databaseUrl(dataDir, 'events'), row)
  return { reached: untilAwaited(locked), release: () => void locked.release() }
}

const onBus =
  (matches: (message: BusMessage) => boolean): EventStage['hold'] =>
  ({ nats, organizationId }) =>
    nats.hold(
      message =>
        matches(message) && (message.request?.body ?? message.body).includes(`"organization":"${organizationId}"`),
    )

const onReply: EventStage['hold'] = ({ endpoint, organizationId }) => endpoint.holdReply(organizationId)

/** The endpoint answers when the webhook's row is locked, so that the reply arrives and cannot be noted. */
const afterReply: EventStage['hold'] = held => {
  const reply = held.endpoint.holdReply(held.organizationId)
  const atRow = reply.reached.then(async () => {
    const hold = await onRow(held, { table: 'webhooks', id: held.webhookId })
    reply.release()
    return hold
  })
  const release = () => {
    reply.release()
    void atRow.then(hold => hold.release())
  }
  return { reached: atRow.then(hold => hold.reached), release }
}

/**
 * The stages from the last to the first: one process plans for all webhooks, and one publishes for all organizations, so that what is kept
 * back there keeps back what comes later.
 */
export const eventStages: EventStage[] = [
  { name: 'after its endpoint answered, before that is noted', hold: afterReply },
  { name: 'while its endpoint has it', hold: onReply },
  {
    name: 'appended to the record, before that is acknowledged',
    hold: onBus(
      ({ client, to, request, body }) =>
        client === 'events' &&
        to === 'server' &&
        request?.subject === 'events.content.recorded' &&
        body.toString() === '+ACK',
    ),
  },
  {
    name: 'while it is appended to the record',
    hold: held => onRow(held, { table: 'event_sequences', id: held.organizationId, column: 'organization_id' }),
  },
  {
    name: 'in the record, before deliveries are planned',
    hold: held => onRow(held, { table: 'webhooks', id: held.webhookId }),
  },
  {
    name: 'committed by its service, before it is published',
    hold: onBus(
      ({ client, to, subject }) => client === 'content' && to === 'server' && subject === 'events.content.recorded',
    ),
  },
]
