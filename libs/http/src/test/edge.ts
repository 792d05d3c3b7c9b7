import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { busClient, connectBus, headerJson, serve, type Bus, type RequestMeta } from '@recto/bus'
import { operations, type Caller, type ErrorBody, type Operations } from '@recto/operation'
import { aNatsServer, waitLimit } from '@recto/testing'
import { z } from 'zod'
import { createActors, createGateway, createRateLimit, type Actors, type GatewayOptions } from '../index.ts'

const anything = z.object({}).loose()

/** The toy contract: three kinds of rows and what goes wrong with them. */
export const toys = operations({
  getToy: {
    route: 'GET /toys/{toyId}',
    summary: 'Get a toy',
    query: anything,
    reply: anything,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  getModel: {
    route: 'GET /models/{modelId}',
    summary: 'Get a model of a toy',
    reply: anything,
    cache: { immutable: true },
  },
  getShownModel: {
    route: 'GET /shown/{modelId}',
    summary: 'Get a model in a shop window',
    reply: anything,
    access: { public: true },
    cache: { sharedForSeconds: 60 },
  },
  getPlan: {
    route: 'GET /boxes/{boxId}/plans/{planId}',
    summary: 'Get a plan of a box',
    query: z.object({ scale: z.coerce.number().default(1), unit: z.enum(['mm', 'in']).default('mm') }),
    reply: anything,
    errors: ['not_found'],
    access: { callers: ['guest'] },
    cache: { immutable: true, within: 'boxId' },
  },
  findToy: {
    route: 'GET /boxes/{boxId}/path/{toyPath}',
    request: { wildcard: true },
    summary: 'Find a toy',
    reply: anything,
  },
  listToys: { route: 'GET /toys', summary: 'List toys', reply: anything, access: { public: true } },
  putToy: {
    route: 'PUT /boxes/{boxId}/toys/{toyId}',
    summary: 'Put a toy',
    body: anything,
    request: { optionalBody: true },
    reply: anything,
    creates: 'resource',
  },
  deleteToy: { route: 'DELETE /toys/{toyId}', summary: 'Delete a toy', reply: z.undefined(), status: 204 },
  breakToys: {
    route: 'POST /break',
    summary: 'Break all toys',
    reply: anything,
    access: { group: 'admin' },
    limits: { timeoutMs: 100 },
  },
})
const nobody = operations({
  getNothing: { route: 'GET /nothing', summary: 'Get nothing', reply: anything, access: { public: true } },
})

const owners = operations({
  resolveToken: {
    summary: 'Who holds a token',
    body: z.object({ hash: z.string() }),
    reply: z.object({ actor: z.any(), tokenId: z.string().optional(), expiresAt: z.number().optional() }),
  },
})

type Answer = (
  input: { params: Record<string, string>; query: Record<string, unknown>; body: unknown },
  meta: RequestMeta,
) => Promise<unknown>
export type Answers = Record<keyof typeof toys, Answer>

/** A service of its own for each name, answering with these handlers. */
export function answer(bus: Bus, rows: Operations, handlers: Record<string, unknown>, prefix: 'api' | 'rpc' = 'api') {
  const log = { error: () => undefined, warn: () => undefined }
  return serve(bus, {
    prefix,
    operations: rows,
    handlers: handlers as never,
    context: (meta: RequestMeta) => meta,
    once: (_request, run) => run('an attempt'),
    log,
  })
}

export interface Holder {
  userId?: string
  scopes?: string[]
  expiresAt?: number
  allowedAddresses?: string[]
}

/** An edge on a free port, the toys behind it, and who holds which token. */
export async function anEdge(options: Partial<GatewayOptions> & { ttl?: number; maxPayload?: number } = {}) {
  const nats = await aNatsServer(options.maxPayload === undefined ? {} : { maxPayload: options.maxPayload })
  const connect = (service: string) => connectBus({ url: nats.url, service, callTimeout: waitLimit })
  const [gateway, toyBus, ownerBus] = (await Promise.all(['gateway', 'toys', 'owners'].map(connect))) as [Bus, Bus, Bus]
  const holders = new Map<string, Holder>()
  const requests: string[] = []
  const answers = {
    resolveToken: async ({ body: { hash } }: { body: { hash: string } }) => (
      requests.push(hash),
      whoHolds(holders, hash)
    ),
  }
  let ownerServer = answer(ownerBus, owners, answers, 'rpc')
  const actors = actorsOver(gateway, options.ttl)
  const logged: { level: string; details: object; message: string }[] = []
  const log = {
    info: (details: object, message: string) => void logged.push({ level: 'info', details, message }),
    error: (details: object, message: string) => void logged.push({ level: 'error', details, message }),
  }
  const app = createGateway({
    bus: gateway,
    api: { toys, nobody },
    absent: [{ reason: 'Toys have no parents', paths: ['/toys/{toyId}/parents', '/shops/*'] }],
    actors,
    log,
    bodyLimit: 1_000,
    timeout: 2_000,
    rate: createRateLimit(1_000),
    refusals: createRateLimit(1_000),
    health: () => false,
    ...options,
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    nats,
    gateway,
    toyBus,
    ownerBus,
    holders,
    requests,
    actors,
    logged,
    port: (server.address() as AddressInfo).port,
    ownersLeave: () => ownerServer.stop(),
    ownersReturn: async () => {
      ownerServer = answer(ownerBus, owners, answers, 'rpc')
      await ownerBus.connection.flush()
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await Promise.all([gateway, toyBus, ownerBus].map(bus => bus.drain()))
      await nats.stop()
    },
  }
}

function whoHolds(holders: Map<string, Holder>, hash: string) {
  const holder = holders.get(hash)
  if (!holder) return { actor: null }
  const { userId = 'ada', scopes = ['read', 'write'], expiresAt, allowedAddresses } = holder
  const actor: Caller = { userId, scopes, ...(allowedAddresses && { allowedAddresses }) }
  return { actor, tokenId: `token of ${userId}`, ...(expiresAt !== undefined && { expiresAt }) }
}

/** The hash under which the owners know a token. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

function actorsOver(gateway: Bus, ttl?: number): Actors<Caller> {
  const { resolveToken } = busClient(gateway, owners, { service: 'owners', timeout: 500 })
  return createActors({
    hash: hashToken,
    resolve: hash => resolveToken({ body: { hash } }),
    serialise: headerJson,
    ...(ttl !== undefined && { ttl }),
  })
}

/** A reply over HTTP. */
export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  json<T = Record<string, unknown>>(): T
}

/** A request over HTTP; the body is sent as it is. */
export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  token?: string
}

/** Sends one request on a connection of its own, with the path as written. */
export async function http(port: number, { token, body, ...request }: Sent): Promise<Answered> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...request.headers }
  // Kept alive, because a server that may close at once need not hear the client out.
  const agent = new Agent({ keepAlive: true })
  const options: RequestOptions = { host: '127.0.0.1', port, agent, ...request, headers }
  const outgoing = send(options)
  outgoing.end(body).on('error', () => undefined)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  agent.destroy()
  const whole = Buffer.concat(chunks)
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: whole,
    json: <T>() => JSON.parse(whole.toString()) as T,
  }
}

/** The code and message of an error body; throws when the reply has none. */
export function errorOf(answered: Answered): ErrorBody['error'] {
  const { error } = answered.json<ErrorBody>()
  if (typeof error.message !== 'string' || error.code !== answered.status)
    throw new Error(`no error body: ${answered.body.toString()}`)
  return error
}
