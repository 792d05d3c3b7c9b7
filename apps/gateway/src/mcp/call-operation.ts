import { ToolFailure, type ToolResult } from '@recto/mcp'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'
import { ReplyTooLarge, type InProcessReply, type SendInProcess } from './in-process.ts'

/** The input of an operation. */
export interface CallInput {
  operationId: string
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
}

/** Who calls, as the request of the client says it. */
export interface Caller {
  authorization: string
  address: string | undefined
  /** Headers that are passed on: those of tracing, and the name of the program. */
  headers: Readonly<Record<string, string | undefined>>
}

/** The parts with which operations are called. */
export interface Calling {
  send: SendInProcess
  catalogue: Catalogue
  caller: Caller
}

/** Bytes of a reply that a model is given. */
const maxReplyBytes = 1_000_000
const passedHeaders = ['traceparent', 'tracestate', 'baggage', 'user-agent']

/**
 * Calls an operation as its HTTP request would: it goes through the gateway like one from outside, with the token of the caller, so that scopes,
 * limits, validation and idempotency are those of the operation. Throws a `ToolFailure` with the words of the API for anything but success.
 */
export async function callOperation(
  { send, catalogue, caller }: Calling,
  input: CallInput,
  signal: AbortSignal,
): Promise<ToolResult> {
  const entry = catalogue.entries.get(input.operationId)
  if (!entry)
    throw new ToolFailure(`There is no operation ${input.operationId.slice(0, 100)}: find it by findOperation`)
  if (isForPrograms(entry))
    throw new ToolFailure(`${entry.operationId} takes or answers what is no JSON: it is for programs`)
  const request = {
    method: entry.method,
    path: pathOf(entry, input),
    headers: headersOf(input, { entry, caller }),
    address: caller.address,
    ...(input.body !== undefined && entry.body && { body: JSON.stringify(input.body) }),
    signal,
  }
  const reply = await send(request, maxReplyBytes).catch((error: unknown) => {
    if (!(error instanceof ReplyTooLarge)) throw error
    throw new ToolFailure(`The reply has more than ${maxReplyBytes} bytes: ask for less, by limit and page`)
  })
  return resultOf(reply)
}

/** Operations whose body is a form or bytes, or whose reply is a page for people. */
export function isForPrograms({ operation: { request, response } }: CatalogueEntry): boolean {
  return request?.raw === true || request?.form === true || response?.mediaType === 'text/html'
}

function pathOf({ path }: CatalogueEntry, { params = {}, query = {} }: CallInput): string {
  const unknown = Object.keys(params).find(name => !path.includes(`{${name}}`))
  if (unknown !== undefined) throw new ToolFailure(`params.${unknown}: is no parameter of the path ${path}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new ToolFailure(`params.${name}: must be given as text`)
    if (value === '') throw new ToolFailure(`params.${name}: must not be empty`)
    return encodeURIComponent(value)
  })
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap(each => (each === undefined || each === null ? [] : [[name, textOf(each, `query.${name}`)]])),
  )
  const search = new URLSearchParams(pairs).toString()
  return `/v1${filled}${search && `?${search}`}`
}

function textOf(value: unknown, field: string): string {
  if (typeof value === 'object')
    throw new ToolFailure(`${field}: must be text, a number, a boolean, or a list of these`)
  return String(value)
}

function headersOf(
  { body, idempotencyKey, ifMatch }: CallInput,
  { entry, caller }: { entry: CatalogueEntry; caller: Caller },
): Record<string, string> {
  const passed = passedHeaders.flatMap(name => {
    const value = caller.headers[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    authorization: caller.authorization,
    ...(body !== undefined && entry.body && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': headerText(idempotencyKey, 'idempotencyKey') }),
    ...(ifMatch !== undefined && { 'if-match': headerText(ifMatch, 'ifMatch') }),
  }
}

/** A value that a header can have (RFC 9110, 5.5); throws a `ToolFailure` for any other. */
function headerText(value: string, field: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new ToolFailure(`${field}: must be printable ASCII`)
  return value
}

function resultOf({ status, location, body }: InProcessReply): ToolResult {
  if (status >= 400) throw new ToolFailure(faultIn(status, body))
  if (body.byteLength > 0) return { text: body.toString() }
  return { text: location === undefined ? 'Done' : `Done: ${location}` }
}

/** The status of a failure, its message, and the fields at fault. */
function faultIn(status: number, payload: Buffer): string {
  const { error } = parse(payload) as { error?: { message?: string; details?: { path: string; message: string }[] } }
  const details = (error?.details ?? []).map(({ path, message }) => `\n${path}: ${message}`)
  return `${status}: ${error?.message ?? 'The request failed'}${details.join('')}`
}

function parse(payload: Buffer): object {
  try {
    return JSON.parse(payload.toString()) as object
  } catch {
    return {}
  }
}
