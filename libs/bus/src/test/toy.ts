import { Failure, failureStatus, operations, type FailureCode, type Operations } from '@recto/operation'
import { aNatsServer, waitLimit, type TestNats } from '@recto/testing'
import { z } from 'zod'
import {
  connectBus,
  requestReply,
  serve,
  wholeBody,
  type Bus,
  type BusReply,
  type BusRequest,
  type RequestMeta,
  type Serving,
} from '../index.ts'

export const Anything = z.object({}).loose()

/** A line of a log. */
export interface Line {
  level: string
  details: { err?: Error } & Record<string, unknown>
  message: string
}

/** A log that keeps its lines. */
export function aLog() {
  const lines: Line[] = []
  const keep = (level: string) => (details: object, message: string) =>
    void lines.push({ level, details: { ...details }, message })
  return { lines, error: keep('error'), warn: keep('warn') }
}

type Handler = (
  input: { params: Record<string, string>; query: unknown; body: unknown },
  meta: RequestMeta,
) => Promise<unknown>

/** One row of a toy table with its handler. */
export type Toys = Record<string, Operations[string] & { answer: Handler }>

/** Serves toys in the name of a service. */
export function serveToys(bus: Bus, toys: Toys, more: Partial<Serving<RequestMeta>> = {}) {
  const log = aLog()
  const handlers = Object.fromEntries(Object.entries(toys).map(([id, { answer }]) => [id, answer as never]))
  const server = serve(bus, {
    prefix: 'api',
    operations: operations(toys),
    handlers,
    context: meta => meta,
    log,
    strict: true,
    ...more,
  })
  return { ...server, log }
}

/** A row that answers whatever its handler does. */
export function aToy(answer: Handler, row: Partial<Operations[string]> = {}): Toys[string] {
  return { summary: 'A toy', reply: Anything, ...row, answer }
}

/** Connects in the name of a service that may do everything. */
export async function connectAs(nats: TestNats, service: string): Promise<Bus> {
  return connectBus({ url: nats.url, service, callTimeout: waitLimit })
}

/** A bus of a test file's own, with a caller and a service called `toys`. */
export async function aBus(options: { maxPayload?: number } = {}) {
  const nats = await aNatsServer(options)
  const [caller, toys] = await Promise.all([connectAs(nats, 'caller'), connectAs(nats, 'toys')])
  const stop = async () => {
    await Promise.all([caller.drain(), toys.drain()])
    await nats.stop()
  }
  return { nats, caller, toys, stop }
}

/** Asks the toys; what is not said is as in an ordinary request. */
export function ask(bus: Bus, id: string, request: Partial<BusRequest> = {}): Promise<BusReply> {
  return requestReply(bus, { subject: `api.toys.${id}`, timeout: 5_000, ...request })
}

/** Asks the toys and reads the JSON of the reply. */
export async function askJson(
  bus: Bus,
  id: string,
  request: Partial<BusRequest> = {},
): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.from(await wholeBody(await ask(bus, id, request))).toString())
}

/** The failure that a request ends with. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Failure) return error
  throw new Error(`there was no failure but ${String(error)}`)
}

export const codes = Object.keys(failureStatus) as FailureCode[]

/** Something that happens once, later. */
export function aMoment(): { come: Promise<void>; now(): void } {
  let now = (): void => undefined
  const come = new Promise<void>(resolve => (now = resolve))
  return { come, now: () => now() }
}
