import { routeOf } from '@recto/operation'
import { plainKind, rows, templatesOf } from './endpoint-requests.ts'
import { sendRaw, withoutRequestId } from './people.ts'
import type { Kind, Tenant } from './tenant.ts'

/** Operations whose replies go on by themselves: events arrive a moment after their change, and deliveries are tried again. */
const changing = [
  'listEvents',
  'streamEvents',
  'listOrganizationAuditEvents',
  'exportOrganizationAuditEvents',
  'listWebhooks',
  'getWebhook',
  'listWebhookDeliveries',
  'getWebhookDelivery',
]

/** Everything an admin can read in their organization, except what changes by itself: lastSeenAt, expiring links, events and deliveries. */
export async function readTenant(stack: { url: string }, { admin, ids }: Tenant): Promise<string[]> {
  const reads = Object.entries(rows).filter(
    ([id, row]) => routeOf(row)?.method === 'GET' && !row.access?.public && !changing.includes(id),
  )
  const paths = reads.flatMap(([, row]) =>
    templatesOf(row).flatMap(({ request: { path } }) => allOf(path.split('?')[0] ?? '', ids)),
  )
  const replies: string[] = []
  for (const path of paths) {
    const reply = await sendRaw(stack.url, admin, { method: 'GET', path })
    const { status } = reply
    replies.push(`${path} ${JSON.stringify({ status, body: withoutRequestId(reply) }, withoutTimes)}`)
  }
  return replies
}

function withoutTimes(key: string, value: unknown): unknown {
  if (['lastSeenAt', 'lastUsedAt', 'downloadURL'].includes(key)) return undefined
  if (typeof value !== 'string') return value
  return value.replace(/(\/url\/preview\/.*)token=.*/, '$1').replaceAll(/(?<=\/files\/)[^/\s]{60,}/g, '')
}

/** A path with every combination of ids. */
function allOf(path: string, ids: Tenant['ids']): string[] {
  const kind = /\{(\w+)\}/.exec(path)?.[1]
  if (kind === undefined) return [path]
  return (ids[plainKind(kind) as Kind] ?? []).flatMap(id => allOf(path.replace(`{${kind}}`, id), ids))
}
