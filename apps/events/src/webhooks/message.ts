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

type SignedBy = Pick<WebhookRow, 'id' | 'secret' | 'formerSecret' | 'formerUntil'>

/** The secrets that sign what is sent now: the present one, and for a day the former one, unless it cannot be decrypted any more. */
export function signingSecrets(
  { id, secret, formerSecret, formerUntil }: SignedBy,
  secrets: Secrets,
  now: Date,
): string[] {
  const former = formerSecret && formerUntil && formerUntil > now ? [formerSecret] : []
  const open = (sealed: Buffer) => webhookSecrets.unseal(sealed, id, secrets)
  return [open(secret), ...former.flatMap(sealed => orNothing(() => open(sealed)))]
}

function orNothing(open: () => string): string[] {
  try {
    return [open()]
  } catch {
    return []
  }
}
