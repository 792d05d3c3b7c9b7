import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { sendRaw, withoutRequestId } from './people.ts'
import { templatesOf } from './tenant-requests.ts'
import type { Kind, Tenant } from './tenant.ts'

/** All operations of the contract, by name. */
export const rows: Record<string, Operation> = {
  ...{ ...api.identity, ...api.content, ...api['git-worker'] },
  ...{ ...api.publishing, ...api['openapi-specs'] },
}

/** Everything an admin can read in their organization, except values that change by themselves: lastSeenAt and expiring links. */
export async function readTenant(stack: { url: string }, { admin, ids }: Tenant): Promise<string[]> {
  const reads = Object.entries(rows).filter(([, row]) => routeOf(row)?.method === 'GET' && !row.access?.public)
  const paths = reads.flatMap(([id, row]) =>
    templatesOf(id, row).flatMap(({ path }) => allOf(path.split('?')[0] ?? '', ids)),
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
  const kind = /\{(\w+)\}/.exec(path)?.[1] as Kind | undefined
  return kind === undefined ? [path] : (ids[kind] ?? []).flatMap(id => allOf(path.replace(`{${kind}}`, id), ids))
}
