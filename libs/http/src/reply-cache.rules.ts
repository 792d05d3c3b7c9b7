import { createHash } from 'node:crypto'
import { routeOf } from '@recto/operation'
import type { Audience } from './actors.ts'
import type { Matched } from './routes.ts'

/** The parts of a request that decide whether its reply may come from the cache. */
export interface CacheableRequest {
  matched: Matched
  /** The query as it was sent. */
  query: Record<string, unknown>
  /** Undefined for callers whose rights a service has to be asked for. */
  audience: Audience | undefined
  /** Whether the request has conditions other than `If-None-Match`, which services evaluate. */
  isConditional: boolean
  /** Everything else that changes replies of services: their build and, for signed URLs, the hour. */
  variant: string
}

/** Where a reply is kept. */
export interface CachePlace {
  key: string
  /** The resource that the reply belongs to: with it, the reply goes. */
  within: string
}

/**
 * Where the reply to a request is kept, and found; undefined when a service has to answer:
 *
 * | case                                                                        | kept  |
 * | --------------------------------------------------------------------------- | ----- |
 * | the row is not `immutable`, or names no resource by `parameter`          | no    |
 * | the row reads headers, or a body                                            | no    |
 * | `If-Match` or `Idempotency-Key`                                             | no    |
 * | a caller without audience: members, API tokens, what moves under a visitor  | no    |
 * | the resource is not one of the audience                                     | no    |
 * | a query that its row refuses: the service names the faults                  | no    |
 * | everything else, also HEAD and `If-None-Match`                              | yes   |
 *
 * Replies differ by operation, parameters of the path, query as the row reads it (defaults filled in, unknown fields left
 * out), audience and variant: all of them are in the key.
 */
export function cachePlaceOf(request: CacheableRequest): CachePlace | undefined {
  const { matched, audience, isConditional, variant } = request
  const { service, operationId, operation, params } = matched
  const { within: parameter, immutable } = operation.cache ?? {}
  if (!immutable || parameter === undefined || isConditional || !audience) return undefined
  if (operation.request?.headers || operation.body || operation.request?.raw || routeOf(operation)?.method !== 'GET')
    return undefined
  const within = params[parameter]
  if (within === undefined || !audience.resources.includes(within)) return undefined
  const parsed = operation.query?.safeParse(request.query)
  if (parsed && !parsed.success) return undefined
  const parts = [service, operationId, sorted(params), parsed?.data, audience.key, variant]
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'), within }
}

/** Entries in an order of their own: a router may find the parameters of one path in another order. */
function sorted(params: Record<string, string>): [string, string][] {
  return Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1))
}
