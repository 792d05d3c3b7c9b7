import { memberActor, type Actor } from '@recto/actor'
import type { peopleCalls } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import type { Client, Secrets } from '@recto/operation'
import { signedHeaders, type Outgoing } from '@recto/outgoing'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { visibleEvents, type AccessServices } from '../access/read-access.ts'
import type { EventRow } from '../record/event.entity.ts'
import * as events from '../record/events.repository.ts'
import { afterAttempt, switchedOff, webhookAfter } from './delivery.rules.ts'
import * as deliveries from './deliveries.repository.ts'
import { messageOf, signingSecrets } from './message.ts'
import { sendEvent } from './send-event.ts'
import type { DeliveryRow, WebhookRow } from './webhook.entity.ts'
import * as webhooks from './webhooks.repository.ts'

/** Deliveries at once in one process, and those of one webhook: one that is slow holds its share, and no more. */
const places = { concurrency: 32, maxPerGroup: 4 }
const heartbeat = 5_000
const every = 100
/** Milliseconds until a delivery is tried again that failed before it was sent. */
const repeatAfter = 5_000

/** The tools of deliveries. */
export interface DeliveryTools extends AccessServices {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  outgoing: Outgoing
  signingSecret: Secrets
  people: Pick<Client<typeof peopleCalls>, 'listMemberships'>
  /** Counts an attempt for metrics. */
  observe(outcome: { seconds: number; code: string | undefined }): void
}

/** Sends events to endpoints; starts nothing by itself. */
export function createDeliveries(tools: DeliveryTools): Worker {
  const { db, transaction, log } = tools
  return createWorker<DeliveryRow>({
    name: 'deliveries of webhooks',
    table: deliveries.deliveryJobs,
    wokenBy: ['webhook_deliveries'],
    db,
    transaction,
    log,
    ...places,
    every,
    heartbeat,
    attempt: (row, job) => deliver(row, job, tools),
    // The endpoint did not fail, but a service that tells rights, say: that is no attempt.
    async fail({ id }, { reason, job }) {
      await job.finish(db, { state: 'waiting', heartbeatAt: null, dueAt: new Date(Date.now() + repeatAfter) })
      log.warn({ err: reason, delivery: id }, 'an event could not be sent to a webhook, and is sent later')
      return true
    },
    giveUp: async () => undefined,
  })
}

async function deliver(row: DeliveryRow, job: RunningJob<DeliveryRow>, tools: DeliveryTools): Promise<void> {
  const webhook = await webhooks.find(tools.db, row.webhookId)
  const event = await events.findBySequence(tools.db, row.organizationId, row.sequence)
  // Of a record that was restored from a backup, another event may have the sequence.
  if (!webhook?.enabled || event?.id !== row.eventId) return skip(job, tools)
  const owner = await ownerOf(webhook, tools)
  if (!owner) return disable(webhook, job, tools)
  const [visible] = await visibleEvents([event], { actor: owner, organization: webhook.organizationId }, tools)
  if (!visible) return skip(job, tools)
  await send(row, { webhook, event: visible, job }, tools)
}

async function send(
  row: DeliveryRow,
  { webhook, event, job }: { webhook: WebhookRow; event: EventRow; job: RunningJob<DeliveryRow> },
  tools: DeliveryTools,
): Promise<void> {
  const at = new Date()
  const body = messageOf(event)
  const headers = signedHeaders({ id: event.id, at, body }, signingSecrets(webhook, tools.signingSecret, at))
  const attempt = await sendEvent(tools.outgoing, { url: webhook.url, headers, body }, job.signal)
  const now = new Date()
  const changes = afterAttempt(row, attempt, { now, random: Math.random() })
  const isDelivered = changes.state === 'delivered'
  tools.observe({ seconds: attempt.milliseconds / 1_000, code: isDelivered ? undefined : codeOf(attempt.status) })
  await tools.transaction(async tx => {
    const current = await webhooks.lock(tx, webhook.id)
    await job.finish(tx, changes)
    if (!current?.enabled || (isDelivered && current.failures === 0)) return
    const next = webhookAfter(current, attempt, now)
    await webhooks.update(tx, current.id, next)
    if (next.enabled === false) await endDeliveries(tx, current, next)
    else if (next.pausedUntil) await deliveries.postponeAll(tx, current.id, next.pausedUntil)
    else if (isDelivered) await deliveries.resumeAll(tx, current.id, now)
  })
}

const codeOf = (status: number | undefined): string => (status === undefined ? 'unreachable' : `http_${status}`)

/** The owner as an actor of the organization, with the rights that they have now; undefined for one who has left. */
async function ownerOf({ ownerId, organizationId }: WebhookRow, { people }: DeliveryTools): Promise<Actor | undefined> {
  const { members } = await people.listMemberships({ body: { organization: organizationId, users: [ownerId] } })
  const [member] = members
  return member && memberActor(ownerId, { organization: organizationId, role: member.role, teams: member.teams })
}

async function skip(job: RunningJob<DeliveryRow>, { transaction }: DeliveryTools): Promise<void> {
  await transaction(tx => job.finish(tx, skippedNow()))
}

const skippedNow = () => ({ state: 'skipped' as const, heartbeatAt: null, endedAt: new Date() })

async function disable(
  webhook: WebhookRow,
  job: RunningJob<DeliveryRow>,
  { transaction }: DeliveryTools,
): Promise<void> {
  await transaction(async tx => {
    const current = await webhooks.lock(tx, webhook.id)
    await job.finish(tx, skippedNow())
    if (!current?.enabled) return
    const changes = switchedOff('owner')
    await webhooks.update(tx, webhook.id, changes)
    await endDeliveries(tx, current, changes)
  })
}

/** Gives up what waits for a webhook that was switched off, and records that it was. */
async function endDeliveries(tx: Transaction, webhook: WebhookRow, changes: Partial<WebhookRow>): Promise<void> {
  await deliveries.skipWaiting(tx, webhook.id, new Date())
  const details = { reason: changes.disabledReason }
  tx.record(recorded('webhook.disabled', { organization: webhook.organizationId, webhook: webhook.id, details }))
}
