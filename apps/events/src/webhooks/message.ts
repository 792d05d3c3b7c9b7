import type { Secrets } from '@recto/operation'
import { presentEvent } from '../feed/present-event.ts'
import type { EventRow } from '../record/event.entity.ts'
import { webhookSecrets } from './secrets.ts'
import type { WebhookRow } from './webhook.entity.ts'

/** The body of a message: an event as the feed shows it. */
export function messageOf(event: EventRow): string {
  const data = presentEvent(event)
  return JSON.stringify({ type: data.type, timestamp: data.time, data })
}

/** The secrets that sign what is sent now: the present one, and the former one for a day. */
export function signingSecrets(webhook: WebhookRow, secrets: Secrets, now: Date): string[] {
  const { id, secret, formerSecret, formerUntil } = webhook
  const former = formerSecret && formerUntil && formerUntil > now ? [formerSecret] : []
  return [secret, ...former].map(sealed => webhookSecrets.unseal(sealed, id, secrets))
}
