import { setTimeout as wait } from 'node:timers/promises'
import { routeOf, type Operation, type Params } from '@recto/operation'
import { z } from 'zod'
import type { CalledOperation } from './operations.ts'

/** An API, and who calls it. */
export interface Connection {
  /** The address without `/v1`. */
  url: string
  token: string
}

/** An API refused a request, or could not be reached. The message names no secret. */
export class ApiFailure extends Error {
  /** The status of the reply; 0 without one. */
  readonly status: number

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.status = status
  }
}

/** The parts of a request to an operation. */
export interface ApiRequest<T extends Operation> {
  params: Params<T>
  query?: Record<string, string>
  body?: T['body'] extends z.ZodType ? z.input<T['body']> : never
  signal: AbortSignal
}

/** Milliseconds for one request. */
const timeoutMs = 120_000
const maxTries = 4
/** Statuses of a server that is busy, and answers later. */
const busyStatuses = [429, 502, 503]

/** Calls an operation of `operations` and resolves to its reply. Throws `ApiFailure`. */
export async function callApi<T extends Operation & CalledOperation>(
  connection: Connection,
  operation: T,
  request: ApiRequest<T>,
): Promise<z.output<T['reply']>> {
  const route = routeOf(operation)
  if (!route) throw new Error('The operation has no route')
  const path = pathOf(route.path, request.params)
  const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : ''
  const isRepeatable = route.method === 'GET' || operation.isIdempotent === true
  const response = await send(
    `${connection.url}/v1${path}${query}`,
    {
      method: route.method,
      // A token goes to nobody but the address that it is of.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${connection.token}`,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    },
    { signal: request.signal, ...(!isRepeatable && { tries: 1 }) },
  )
  if (!response.ok) throw await failureOf(response)
  const result = operation.reply.safeParse(await response.json().catch(() => undefined))
  if (!result.success) throw new ApiFailure(response.status, `${connection.url} does not answer as an API of Recto`)
  return result.data as z.output<T['reply']>
}

/** Fills the parameters of a path. */
export function pathOf(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** Sends a request, again where a server is busy. Throws `ApiFailure` when nobody answers. */
export async function send(
  url: string,
  init: RequestInit,
  { signal, tries = maxTries }: { signal: AbortSignal; tries?: number },
): Promise<Response> {
  for (let count = 1; ; count++) {
    const response = await fetchOnce(url, init, signal)
    if (!busyStatuses.includes(response.status) || count >= tries) return response
    await response.body?.cancel()
    const seconds = Number(response.headers.get('retry-after') ?? count)
    await wait(Math.min(30, Math.max(1, seconds || 1)) * 1_000, undefined, { signal })
  }
}

async function fetchOnce(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  } catch (error) {
    signal.throwIfAborted()
    throw new ApiFailure(0, `${new URL(url).origin} cannot be reached`, { cause: error })
  }
}

const Failure = z.object({ error: z.object({ message: z.string() }) })

/** The failure that a reply tells. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const result = Failure.safeParse(await response.json().catch(() => undefined))
  const message = result.success ? result.data.error.message : `The reply has the status ${response.status}`
  if (response.status === 401) return new ApiFailure(401, 'The token is not valid (any more): use `recto login`')
  return new ApiFailure(response.status, message)
}
