import { concernedBy, hashToken, type Actor } from '@recto/actor'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBlobStore, type BlobStore } from '@recto/blobs'
import { busClient, connectBus, headerJson, onSignal, type Bus } from '@recto/bus'
import { identityEvents } from '@recto/contracts-identity-bus'
import { absentPaths, api, calls, protocols } from '@recto/contracts'
import {
  createActors,
  createGateway,
  createRateLimit,
  findActor,
  type Actors,
  type FindingActors,
  type GatewayOptions,
  type RateLimit,
} from '@recto/http'
import { closeServer, closeWithReplies, listenOn } from '@recto/service'
import type { Log, Metrics, ProcessHealth } from '@recto/telemetry'
import type { Express } from 'express'
import { mountApplicationUrls } from './application-urls.ts'
import { followClosings, type Closings } from './closings.ts'
import type { Config } from './config.ts'
import { mountDocuments, readReference } from './documents.ts'
import { mountDownloads } from './downloads.ts'
import { mountMcp } from './mcp/mount-mcp.ts'
import { createReadiness } from './readiness.ts'
import { createSharedReplies } from './shared-replies.ts'
import { limitBodyTime } from './slow-bodies.ts'
import { answersExpectation, mountUploads } from './uploads.ts'
import { createVisitors, withVisitors } from './visitors.ts'

const headerRoom = 64 * 1024
/** Bytes of the headers of a request: the token of a visitor names up to 250 spaces, and what their login server says of them. */
const maxHeaderBytes = 32 * 1024

interface Parts {
  log: Log
  metrics: Metrics
  process: ProcessHealth
}

/** A running gateway. */
export interface Gateway {
  port: number
  ready(): Promise<true | string>
  /** Closes each connection with its next reply, so that its client opens the next one at a gateway that stays. */
  leave(): void
  stop(): Promise<void>
}

/** Starts the gateway; `stop` lets requests in flight finish. */
export async function startGateway(config: Config, { log, metrics, process }: Parts): Promise<Gateway> {
  const bus = await connectBus({
    url: config.NATS_URL,
    service: 'gateway',
    callTimeout: config.CALL_TIMEOUT,
    notice: (message, details) => log.warn(details, message),
  })
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const closings = followClosings(bus, { log })
  const visitors = createVisitors(closings, { secret: config.SIGNING_SECRET })
  const callers = {
    actors: withVisitors(actorsOf(bus), visitors),
    refusals: createRateLimit(config.REFUSAL_LIMIT),
    rate: createRateLimit(config.RATE_LIMIT),
  }
  const bodyLimit = bodyLimitOf(bus, config, log)
  const app = createGateway({
    ...callers,
    bus,
    api,
    protocols,
    absent: absentPaths,
    rates: {
      visitor: createRateLimit(config.VISITOR_RATE_LIMIT),
      signIn: createRateLimit(config.SIGN_IN_LIMIT),
    },
    cache: createSharedReplies(bus, { size: config.REPLY_CACHE_SIZE, build: config.BUILD, metrics }),
    bodyLimit,
    signingKeys: signingKeysOf(bus),
    timeout: config.REQUEST_TIMEOUT,
    health: process.health,
    mount: edge => {
      mount(edge, { config, blobs, bus, closings })
      mountAuthors(edge, { config, callers, bodyLimit, log, metrics })
    },
    log,
    metrics,
  })
  const release = async (): Promise<void> => {
    closings.stop()
    await bus.drain()
    blobs.close()
  }
  // A port that is taken must end the process at once, which what is open would keep alive.
  const server = await listen(app, config).catch(async (error: unknown) => {
    await release()
    throw error
  })
  return {
    port: (server.address() as AddressInfo).port,
    ready: createReadiness({ bus, closings }),
    leave: () => closeWithReplies(server),
    stop: async () => {
      await closeServer(server)
      await release()
    },
  }
}

/** Keys of the services whose rows sign what is too large to be kept. */
function signingKeysOf(bus: Bus): NonNullable<GatewayOptions['signingKeys']> {
  const git = busClient(bus, calls['git-worker'], { service: 'git-worker' })
  return {
    receiveGitPush: async ({ spaceId = '' }) => (await git.getGitPushKey({ body: { spaceId } })).key,
  }
}

/** A body is sent in one bus message with its headers, so the limit cannot exceed the bus's maximum payload. */
function bodyLimitOf(bus: Bus, { BODY_LIMIT }: Config, log: Log): number {
  const largest = (bus.connection.info?.max_payload ?? BODY_LIMIT + headerRoom) - headerRoom
  if (BODY_LIMIT > largest) log.warn({ BODY_LIMIT, largest }, 'BODY_LIMIT lowered to the maximum payload of the bus')
  return Math.min(BODY_LIMIT, largest)
}

interface Mounted {
  config: Config
  blobs: BlobStore
  bus: Bus
  closings: Closings
}

function mount(app: Express, { config, blobs, bus, closings }: Mounted): void {
  const content = busClient(bus, calls.content, { service: 'content' })
  app.set('trust proxy', config.TRUST_PROXY)
  mountDocuments(app)
  mountDownloads(app, { blobs, secret: config.SIGNING_SECRET, closings })
  mountApplicationUrls(app, {
    publicUrl: config.PUBLIC_URL,
    rate: createRateLimit(config.RATE_LIMIT),
    find: async url => (await content.findPublicAddress({ body: { url } })).address,
  })
  mountUploads(app, {
    blobs,
    secret: config.SIGNING_SECRET,
    idleTimeout: config.UPLOAD_IDLE_TIMEOUT,
    complete: async upload => void (await content.completeUpload({ body: upload })),
  })
}

interface AuthorParts extends Pick<Parts, 'log' | 'metrics'> {
  config: Config
  callers: FindingActors<Actor> & { rate: RateLimit }
  bodyLimit: number
}

/** The API as tools; a request for them counts as one of its token, besides those that it makes. */
function mountAuthors(app: Express, { config, callers, bodyLimit, log, metrics }: AuthorParts): void {
  mountMcp(app, {
    api,
    publicUrl: config.PUBLIC_URL,
    timeoutMs: config.REQUEST_TIMEOUT,
    readReference,
    bodyLimit,
    log,
    metrics,
    async findCaller(request) {
      const caller = await findActor(callers, request)
      await callers.rate.take(caller.tokenId)
      return caller
    },
  })
}

function actorsOf(bus: Bus): Actors<Actor> {
  const identity = busClient(bus, calls.identity, { service: 'identity' })
  const actors = createActors<Actor>({
    hash: hashToken,
    resolve: hash => identity.resolveToken({ body: { hash, knowsLimits: true } }),
    serialise: headerJson,
  })
  onSignal(bus, identityEvents.actorChanged, change => actors.drop(concernedBy(change)))
  bus.onReconnect(() => actors.clear())
  return actors
}

async function listen(app: Express, config: Config): Promise<Server> {
  // Slow senders of headers are disconnected after the request timeout; Node checks once a second. An upload may take longer.
  const server = createServer(
    {
      connectionsCheckingInterval: 1_000,
      requestTimeout: 0,
      headersTimeout: config.REQUEST_TIMEOUT,
      maxHeaderSize: maxHeaderBytes,
    },
    app,
  )
  limitBodyTime(server, config.REQUEST_TIMEOUT, answersExpectation)
  server.on('checkContinue', (request, response) => {
    if (!answersExpectation(request)) response.writeContinue()
    server.emit('request', request, response)
  })
  server.keepAliveTimeout = 65_000
  await listenOn(server, { port: config.PORT, host: config.HOST })
  return server
}
