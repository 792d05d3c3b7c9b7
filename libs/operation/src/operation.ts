import type { z } from 'zod'
import type { FailureCode } from './failure.ts'
import type { Records } from './recorded.ts'
import type { ScopeGroup } from './scope-groups.ts'

/** HTTP methods that a row may have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The HTML page that a failure is shown as in a browser. */
export interface FailurePage {
  title: string
  /** Text by failure code; plain text without details that would help an attacker. */
  messages: Partial<Record<FailureCode, string>>
  /** Text for every other code. */
  otherwise: string
}

/** How a request is read, besides the schemas of its query and body. */
export interface RequestForm {
  /** The last parameter of the path takes the rest of it, slashes included, whether they are encoded or not. */
  wildcard?: true
  /** A request without body is read as `{}`. */
  optionalBody?: true
  /** The body is a form (WHATWG URL, urlencoded) instead of JSON: every field is a string. */
  form?: true
  /** The handler gets the body as the bytes that were sent, of any media type: for what is signed as bytes. The row has no `body`. */
  raw?: true
  /** Headers that the handler gets, by their names in lower case; it gets no others. */
  headers?: readonly Lowercase<string>[]
}

/** The media type of replies that are streams of events. */
export const eventStream = 'text/event-stream'

/** A whole HTTP reply: its status, its headers by name, each as often as it is sent, and its body. */
export interface HttpReply {
  status: number
  headers: [name: string, value: string][]
  body: string
}

/** How a reply is shown that is no JSON. */
export interface ResponseForm {
  /** Media type of a reply that is a string; as `text/event-stream` the reply is a stream of events, each of which is what `reply` says. */
  mediaType?:
    'text/html' | 'application/samlmetadata+xml' | 'application/yaml' | 'application/x-ndjson' | typeof eventStream
  /** The field of each event of a stream that is its id: clients that connect again send the last one as `Last-Event-ID`. */
  eventId?: string
  /** For rows that people open in a browser: failures are shown as this page, with their status, instead of the error body. */
  failurePage?: FailurePage
  /** The handler may have nothing to say: a reply that is undefined is answered with 204. */
  isOptional?: true
  /** The reply is an `HttpReply`, which is sent as it is: for a server of a standard that runs in the service. The handler gets the query as the row reads it, and the body as bytes where the row is `raw`. */
  isWhole?: true
}

/** Which tokens a request may come with. */
export interface Access {
  /** Reachable without a token. Authentication is the default. */
  public?: true
  /** The group of the row's scope; that of GET and of what only reads (`records`) is `read`, and that of the rest `write`, unless given. */
  group?: ScopeGroup
  /**
   * Whether tokens that are limited to resources may use the row: it is about one of them, which its service checks, or it shows what the
   * caller may see, and is about nothing else. It is refused to them unless given.
   */
  limited?: 'checked' | 'filtered'
  /** Kinds of callers besides users that may use the row, whatever the scopes of their token; it is refused to all others. */
  callers?: readonly string[]
  /** Who among users may use the row, in the words of the product: its services decide that. */
  may?: string
}

/**
 * Whether a row creates or starts something, so that `Idempotency-Key` applies to it.
 * - `resource`: it answers 201, and the reply's `urls.location` becomes the `Location` header.
 * - `ifAbsent`: it answers so when the handler says that it created what was not there (`context.setCreated`). A PUT may be repeated without a key.
 * - `effect`: it starts something that a repeated request would start again.
 */
export type Creates = 'resource' | 'ifAbsent' | 'effect'

/** How long clients and shared caches may keep a reply; without, they ask again. */
export type Cache =
  | {
      /** The path names what never changes: clients may cache the reply (RFC 8246). */
      immutable: true
      /** The parameter of the path that names the resource which the reply belongs to. The gateway keeps such replies for callers of one audience. */
      within?: string
      sharedForSeconds?: never
    }
  | {
      /** The reply is the same for everybody: shared caches may keep it for so long, then ask whether its `ETag` changed (RFC 9111). */
      sharedForSeconds: number
      immutable?: never
      within?: never
    }

/** Limits of a row where they differ from those of all rows. */
export interface Limits {
  /** Names the limit of requests that applies to the row instead of that of its caller. */
  rate?: string
  /** The parameter of the path of a public row whose requests share a limit of their own, whatever address they come from. */
  rateBy?: string
  /** Largest body, where it is less than that of all rows. */
  bodyBytes?: number
  /**
   * For a raw row of what is signed with a shared secret: a body above the limit of all rows, up to so many bytes, is hashed while it arrives
   * and never kept. The handler gets its signature, HMAC-SHA256 in hex under the key that the gateway is given for the row, and no bytes.
   */
  signedBytes?: number
  /** How long a caller waits; the service's default unless given. */
  timeoutMs?: number
}

/** An endpoint as data: its route, subject, handler type, client method and OpenAPI entry are derived from this row. */
export interface Operation {
  /** Method and path without `/v1`; parameters in braces. A row without route is called over the bus only. */
  route?: `${Method} /${string}`
  summary: string
  description?: string
  query?: z.ZodType
  body?: z.ZodType
  request?: RequestForm
  reply: z.ZodType
  response?: ResponseForm
  /** Status of success, 200 unless given; 302 redirects to the URL of the handler's `setLocation`. A row that creates answers 201 (`creates`). */
  status?: 204 | 302
  creates?: Creates
  /** A POST that creates nothing: a repeated request reads, or sets what the first one has set, so it needs no `Idempotency-Key`. */
  isIdempotent?: true
  /** Failures the row declares besides those every operation can have. */
  errors?: readonly FailureCode[]
  /** The scope that a token needs, by its name; the group that it belongs to is enough, too. */
  scope?: string
  access?: Access
  /** Its changes in the record of the organization; every row that changes something has some, or says why not. */
  records?: Records
  cache?: Cache
  limits?: Limits
}

/** A named table of rows. */
export type Operations = Record<string, Operation>

/** Declares a table of operations; the key is the operationId everywhere. */
export function operations<const T extends Operations>(rows: T): T {
  return rows
}

type ParameterNames<Route> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never

/** Path parameters of a row, inferred from its route literal. */
export type Params<T extends Operation> = { [Name in ParameterNames<T['route']>]: string }

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined

/** The input of a handler, parsed. */
export type Input<T extends Operation> = {
  params: Params<T>
  query: Parsed<T['query']>
  body: Parsed<T['body']>
} & (T extends { request: { headers: readonly (infer Name extends string)[] } }
  ? { headers: { [Header in Name]?: string | undefined } }
  : unknown) &
  (T extends { request: { raw: true } } ? { raw: Uint8Array } : unknown) &
  (T extends { limits: { signedBytes: number } } ? { signature?: string | undefined } : unknown)

type EventRow = { response: { mediaType: typeof eventStream } }

/** The result of a handler, or its events; undeclared fields are stripped before it leaves the service. */
export type Output<T extends Operation> = T extends EventRow ? AsyncIterable<z.input<T['reply']>> : z.input<T['reply']>

/** The reply as a caller receives it. */
export type Reply<T extends Operation> = T extends EventRow ? AsyncIterable<z.output<T['reply']>> : z.output<T['reply']>

/** The minimal actor that this library needs; a product extends it. */
export interface Caller {
  userId: string
  /** The kind of a caller who is no user: only rows that name this kind in `access.callers` answer it. */
  kind?: string | undefined
  /** Scopes of the access token: what it may be used for. */
  scopes: string[]
  /** IP addresses and CIDR blocks that the token may be used from; from everywhere when absent. */
  allowedAddresses?: string[] | undefined
  /** Ids of the resources that the token is limited to, by their kind; it is not limited when absent. */
  limitedTo?: { [kind: string]: string[] } | undefined
}

/** A context whose `actor` is known: what handlers of rows that need a token receive. */
export type Authenticated<Context> = Context extends { actor: infer A } ? Context & { actor: NonNullable<A> } : Context

/** The context of a row's handler: rows with a route need a token unless they are `public`. */
type ContextOf<T extends Operation, Context> = T extends { access: { public: true } }
  ? Context
  : T extends { route: string }
    ? Authenticated<Context>
    : Context

/** The function that answers one row. */
export type Handler<T extends Operation, Context> = (
  input: Input<T>,
  context: ContextOf<T, Context>,
) => Promise<Output<T>>

declare const view: unique symbol

/** A handler that answers from a view, which `fromView` makes. */
export type ViewHandler<H> = H & { readonly [view]: true }

/**
 * Makes the handler of a row that names `callers`: it answers such a caller, who has no rights of a user, from a view. `open` finds what
 * the caller sees, or throws; `answer` gets it in the first place, and reads what it answers through it.
 */
export function fromView<View, Input, Context, Output>(
  open: (input: Input, context: Context) => View | Promise<View>,
  answer: (view: View, input: Input, context: Context) => Output | Promise<Output>,
): ViewHandler<(input: Input, context: Context) => Promise<Output>> {
  // Awaited here: a promise that an asynchronous function returns is settled by two more.
  const handler = async (input: Input, context: Context) => await answer(await open(input, context), input, context)
  return handler as ViewHandler<typeof handler>
}

/** The handler of a row; one that names `callers` is made by `fromView`, so that nobody forgets that others than users get the answer. */
type HandlerOf<T extends Operation, Context> = T extends { access: { callers: readonly string[] } }
  ? ViewHandler<Handler<T, Context>>
  : Handler<T, Context>

/** A handler for every row of a table, no more and no fewer. */
export type Handlers<T extends Operations, Context> = { [Id in keyof T]: HandlerOf<T[Id], Context> }

/** Rows together with the handlers that answer them. */
export interface Feature<T extends Operations, Context> {
  rows: T
  handlers: Handlers<T, Context>
}

type Exactly<H, T> = H & Record<Exclude<keyof H, keyof T>, never>

/** Declares a feature: a missing handler, an extra one or one of the wrong type does not compile. */
export function feature<Context>() {
  return <T extends Operations, H extends Handlers<T, Context>>(
    rows: T,
    handlers: Exactly<H, T>,
  ): Feature<T, Context> => ({ rows, handlers: handlers as unknown as Handlers<T, Context> })
}

/** The operations of a service with their handlers, as `compose` returns them. */
export interface Answers<Context> {
  operations: Operations
  handlers: Record<string, (input: never, context: Context) => Promise<unknown>>
}

/** Any feature whose handlers can do with this context. */
interface AnyFeature<Context> {
  rows: Operations
  handlers: Record<string, (input: never, context: Authenticated<Context>) => Promise<unknown>>
}

type RowIds<F extends { rows: Operations }> = F extends unknown ? keyof F['rows'] : never

/**
 * Composes features into what a service answers. It does not compile while a row of the table is in no feature (`missing`
 * names it), or a feature has a row that is not in the table (`foreign`).
 */
export function compose<Context>() {
  return <T extends Operations, const F extends readonly AnyFeature<Context>[]>(
    operations: T,
    features: F & Complete<Exclude<keyof T, RowIds<F[number]>>, Exclude<RowIds<F[number]>, keyof T>>,
  ): Answers<Context> => {
    const handlers: object = Object.assign({}, ...features.map(feature => feature.handlers))
    return { operations, handlers: handlers as Answers<Context>['handlers'] }
  }
}

type Complete<Missing, Foreign> = ([Missing] extends [never] ? unknown : { missing: Missing }) &
  ([Foreign] extends [never] ? unknown : { foreign: Foreign })

type OptionalUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K]
}

/** The arguments of a call: parameters and body where the row has them, query optional as its schema says. */
export type Call<T extends Operation> = OptionalUndefined<{
  params: keyof Params<T> extends never ? undefined : Params<T>
  query: T['query'] extends z.ZodType ? Sent<T['query']> | undefined : undefined
  body: T extends { request: { optionalBody: true } } ? Sent<T['body']> | undefined : Sent<T['body']>
  headers: T extends { request: { headers: readonly (infer Name extends string)[] } }
    ? { [Header in Name]?: string } | undefined
    : undefined
  raw: T extends { request: { raw: true } } ? Uint8Array : undefined
}>

/** One method per row. */
export type Client<T extends Operations> = {
  [Id in keyof T]: (
    ...call: Record<never, never> extends Call<T[Id]> ? [Call<T[Id]>?] : [Call<T[Id]>]
  ) => Promise<Reply<T[Id]>>
}

/** Splits a row's route into method and path; undefined for a row without route. */
export function routeOf(operation: Operation): { method: Method; path: string } | undefined {
  if (!operation.route) return undefined
  const space = operation.route.indexOf(' ')
  return { method: operation.route.slice(0, space) as Method, path: operation.route.slice(space + 1) }
}

/** Paths that an API does not have by decision, and the reason that callers are told; `{name}` is a part of a path, a trailing `*` the rest. */
export interface AbsentPaths {
  reason: string
  paths: readonly string[]
}

/** Whether requests of a row change something: those of a GET do only where it says what it records, as the end of a sign-in that the browser comes to by a redirect. */
export function changesSomething({ route, records }: Operation): boolean {
  return !route?.startsWith('GET ') || Array.isArray(records)
}

/** Whether a row creates something: repeated requests with one `Idempotency-Key` create it once. */
export function createsSomething(operation: Operation): boolean {
  if (operation.creates === 'ifAbsent') return !operation.route?.startsWith('PUT ')
  return operation.creates !== undefined
}

/** The status of success of a row; one that creates what is absent answers 201 then. */
export function statusOf(operation: Operation): 200 | 201 | 204 | 302 {
  return operation.status ?? (operation.creates === 'resource' ? 201 : 200)
}
