import { decidingResource } from '../access/visible-events.rules.ts'
import type { EventRow } from '../record/event.entity.ts'
import type { DeliveryAttempt, DeliveryRow, WebhookRow } from './webhook.entity.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds between the eight attempts: about three days in all. */
export const retryDelays = [5_000, 5 * minute, 30 * minute, 3 * hour, 12 * hour, 24 * hour, 32 * hour]
/** By how much a delay may be longer at random, so that many do not come at once. */
const jitter = 0.1
/** Attempts in a row that fail before an endpoint is left alone for a while. */
const failuresUntilPause = 5
/** Milliseconds of the first pause, each of which is twice as long as the one before, and of the longest. */
const pauses = { first: 30_000, longest: 30 * minute }
/** Milliseconds of failures after which a webhook is switched off. */
const failingLimit = 5 * day
/** Attempts that a delivery remembers. */
const loggedAttempts = 10

/** Whether an endpoint has accepted an event. */
export function isAccepted({ status = 0 }: DeliveryAttempt): boolean {
  return status >= 200 && status < 300
}

/** The columns of a delivery after an attempt. */
export function afterAttempt(
  { failures, log }: Pick<DeliveryRow, 'failures' | 'log'>,
  attempt: DeliveryAttempt,
  { now, random }: { now: Date; random: number },
): Partial<DeliveryRow> {
  const entries = { log: [...log, attempt].slice(-loggedAttempts), heartbeatAt: null }
  if (isAccepted(attempt)) return { ...entries, state: 'delivered', endedAt: now }
  const delay = retryDelays[failures]
  if (delay === undefined) return { ...entries, state: 'failed', failures: failures + 1, endedAt: now }
  const dueAt = new Date(now.getTime() + Math.round(delay * (1 + jitter * random)))
  return { ...entries, state: 'waiting', failures: failures + 1, dueAt }
}

/**
 * The columns of a webhook after an attempt:
 *
 * | attempt                                   | then                                                   |
 * | ----------------------------------------- | ------------------------------------------------------ |
 * | accepted                                  | it fails no more                                       |
 * | answered with 410                         | switched off: the endpoint is gone for good            |
 * | failed, and all have for five days        | switched off                                           |
 * | failed, and five or more in a row have    | left alone for a while, each time twice as long        |
 * | failed                                    | counted                                                |
 */
export function webhookAfter(
  { failures, failingSince }: Pick<WebhookRow, 'failures' | 'failingSince'>,
  attempt: DeliveryAttempt,
  now: Date,
): Partial<WebhookRow> {
  if (isAccepted(attempt)) return { failures: 0, failingSince: null, pausedUntil: null }
  if (attempt.status === 410) return switchedOff('gone')
  const since = failingSince ?? now
  if (now.getTime() - since.getTime() >= failingLimit) return switchedOff('failing')
  const count = failures + 1
  const pause = Math.min(pauses.longest, pauses.first * 2 ** Math.max(0, count - failuresUntilPause))
  return {
    failures: count,
    failingSince: since,
    pausedUntil: count < failuresUntilPause ? null : new Date(now.getTime() + pause),
  }
}

/** The columns of a webhook that is switched off. */
export function switchedOff(disabledReason: 'user' | 'gone' | 'failing' | 'owner'): Partial<WebhookRow> {
  return { enabled: false, disabledReason, failures: 0, failingSince: null, pausedUntil: null }
}

/** Events of one key are sent in their order: those about the same resource, and those of the organization. */
export function orderKeyOf(event: Pick<EventRow, 'subject'>): string {
  const resource = decidingResource(event)
  return resource ? `${resource.kind} ${resource.id}` : 'organization'
}
