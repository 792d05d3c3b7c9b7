import type { RequestConditions } from '@recto/bus'
import { Failure } from '@recto/operation'
import type { Request } from 'express'

/** The conditions of a request; most requests have none. */
export function conditionsOf({ headers }: Request): RequestConditions | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'idempotency-key': key } = headers
  if (ifMatch === undefined && ifNoneMatch === undefined && key === undefined) return undefined
  return { ifMatch: printable(ifMatch), ifNoneMatch: printable(ifNoneMatch), idempotencyKey: printable(key) }
}

/** NATS headers are one line; Node reads header values as Latin-1. What stands for other characters makes no valid key, and no tag. */
function printable(value: string | string[] | undefined): string | undefined {
  return value?.toString().replaceAll(/[^\x20-\x7e]+/g, '? ?')
}

/** The headers of a request that a row asks for, as printable ASCII; one that is repeated is joined by commas. */
export function headersOf({ headers }: Pick<Request, 'headers'>, names: readonly string[]): Record<string, string> {
  const selected: Record<string, string> = {}
  for (const name of names) {
    const value = printable(headers[name])
    if (value !== undefined) selected[name] = value
  }
  return selected
}

/** The id that a request names, or a new one. */
export function requestIdOf(request: Request): string {
  const requestId = request.headers['x-request-id']
  return typeof requestId === 'string' && /^[\w.-]{1,64}$/.test(requestId) ? requestId : crypto.randomUUID()
}

/** Far more query parameters than any operation has. */
const maxParameters = 1_000

/** The query of a URL; a parameter that is repeated is a list. Throws `invalid_request` for too many. */
export function queryOf(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const parameters = new URLSearchParams(url.slice(start))
  if (parameters.size > maxParameters)
    throw new Failure('invalid_request', `More than ${maxParameters} query parameters`)
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of parameters) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}
