import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, startNats, type Nats, type NatsOptions, type NatsUser } from '@recto/embedded'
import { eventually } from './eventually.ts'
import { provided } from './provided.ts'
import { removeFolder } from './remove-folder.ts'
import { TcpLink } from './tcp-link.ts'

const everything: NatsUser = { name: 'test', password: 'test', publish: ['>'], subscribe: ['>'] }
/** The discard port: servers that hear of each other reach nobody there, and keep to the routes of their own. */
const nowhere = '127.0.0.1:9'

/** One server of a cluster. */
export interface NatsNode {
  name: string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again with what it stored. */
  start(): Promise<void>
  /** Cuts it off from the other servers, whose connections to it end, or are `silent`; clients still reach it. */
  isolate(options?: { isSilent: boolean }): void
  heal(): void
  /** The number of clients that are connected to it. */
  clients(): Promise<number>
}

/** A durable consumer of a stream, as its leader sees it. */
export interface ConsumerState {
  stream: string
  name: string
  /** Messages that were not delivered, and those that were not acknowledged. */
  lag: number
}

/** A stream, as its leader sees it. */
export interface StreamState {
  name: string
  leader: string
  /** The servers that have all of it, the leader among them. */
  current: string[]
  consumers: ConsumerState[]
}

/** Three NATS servers with JetStream that keep a quorum among them. */
export interface NatsCluster {
  /** URLs of all servers by commas, as a user; the first one unless named. */
  urlFor(user?: string): string
  nodes: NatsNode[]
  /** The streams, as their leaders say, as far as these can be asked. */
  streams(): Promise<StreamState[]>
  /** The node that leads a stream. */
  leaderOf(stream: string): Promise<NatsNode>
  stop(): Promise<void>
}

/** Starts a cluster for a test file. Its servers reach each other through links of the test. */
export async function aNatsCluster({
  users = [everything],
  maxPayload,
}: { users?: NatsUser[]; maxPayload?: number } = {}): Promise<NatsCluster> {
  const servers = await threeServers({ users, maxPayload })
  await Promise.all(servers.map(server => server.start()))
  const nodes = servers.map((server, at): NatsNode => {
    // The links that lead to it belong to the others.
    const links = servers.flatMap(({ links }, from) => (from === at ? links : (links[at > from ? at - 1 : at] ?? [])))
    return {
      name: server.name,
      kill: () => server.kill(),
      start: () => server.start(),
      isolate: ({ isSilent } = { isSilent: false }) => links.forEach(link => (isSilent ? link.cut() : link.refuse())),
      heal: () => links.forEach(link => link.heal()),
      clients: () => server.clients(),
    }
  })
  const streams = async () => {
    const led = await Promise.all(servers.map(server => server.led()))
    const consumers = led.flatMap(each => each.consumers)
    return led
      .flatMap(each => each.streams)
      .map(stream => ({ ...stream, consumers: consumers.filter(each => each.stream === stream.name) }))
  }
  const leaderOf = (stream: string) =>
    eventually(async () => {
      const { leader } = (await streams()).find(({ name }) => name === stream) ?? {}
      const node = nodes.find(({ name }) => name === leader)
      if (!node) throw new Error(`${stream} has no leader`)
      return node
    })
  // A stream finds its places once a leader of all has been elected and knows each server.
  await eventually(async () => {
    if (!(await Promise.all(servers.map(server => server.hasCompleteCluster()))).some(Boolean))
      throw new Error('The servers have not found each other')
  })
  return {
    urlFor: (user = users[0]?.name ?? '') => servers.map(server => server.urlFor(user)).join(','),
    nodes,
    streams,
    leaderOf,
    stop: async () => void (await Promise.all(servers.map(server => server.stop()))),
  }
}

async function threeServers(options: Pick<NatsOptions, 'users' | 'maxPayload'>): Promise<Server[]> {
  const names = ['nats-0', 'nats-1', 'nats-2']
  const ports = await Promise.all(names.map(async () => ({ route: await freePort(), monitor: await freePort() })))
  return Promise.all(
    names.map(async (name, index) => {
      const others = ports.filter((_port, other) => other !== index)
      const links = await Promise.all(others.map(({ route }) => TcpLink.to(route)))
      const { route, monitor } = ports[index] ?? { route: 0, monitor: 0 }
      return new Server(links, {
        binary: provided('natsBinary'),
        storeDir: await mkdtemp(join(provided('runFolder'), 'nats-')),
        ...options,
        port: await freePort(),
        monitorPort: monitor,
        cluster: {
          serverName: name,
          port: route,
          advertise: nowhere,
          routes: links.map(link => `127.0.0.1:${link.port}`),
        },
      })
    }),
  )
}

class Server {
  readonly links: TcpLink[]
  readonly #options: NatsOptions
  #nats: Nats | undefined

  constructor(links: TcpLink[], options: NatsOptions) {
    this.links = links
    this.#options = options
  }

  get name(): string {
    return this.#options.cluster?.serverName ?? ''
  }

  urlFor(user: string): string {
    return this.#nats?.urlFor(user) ?? ''
  }

  async start(): Promise<void> {
    this.#nats = await startNats(this.#options)
  }

  async kill(): Promise<void> {
    if (!this.#nats) return
    process.kill(this.#nats.pid, 'SIGKILL')
    await this.#nats.exited
  }

  async stop(): Promise<void> {
    await this.#nats?.stop()
    await Promise.all(this.links.map(link => link.stop()))
    await removeFolder(this.#options.storeDir)
  }

  /** Whether it leads the cluster, and all others are there. */
  async hasCompleteCluster(): Promise<boolean> {
    const { meta_cluster: meta } = await this.#ask()
    return meta?.leader === this.name && meta.replicas?.length === 2 && meta.replicas.every(({ current }) => current)
  }

  /** The streams and the consumers that it leads. */
  async led(): Promise<{ streams: Omit<StreamState, 'consumers'>[]; consumers: ConsumerState[] }> {
    const { account_details: accounts = [] } = await this.#ask()
    const all = accounts.flatMap(({ stream_detail: streams = [] }) => streams)
    const leads = ({ cluster }: { cluster?: Raft }) => cluster?.leader === this.name
    const streams = all.filter(leads).map(({ name, cluster: { replicas = [] } = {} }) => ({
      name,
      leader: this.name,
      current: [this.name, ...replicas.flatMap(each => (each.current && !each.offline ? [each.name] : []))],
    }))
    const consumers = all.flatMap(({ name: stream, consumer_detail: details = [] }) =>
      details
        .filter(leads)
        .map(({ name, num_pending, num_ack_pending }) => ({ stream, name, lag: num_pending + num_ack_pending })),
    )
    return { streams, consumers }
  }

  async clients(): Promise<number> {
    const { connections = 0 } = await this.#get<{ connections?: number }>('varz')
    return connections
  }

  #ask(): Promise<JetStreamReport> {
    return this.#get('jsz?streams=1&consumers=1')
  }

  /** Its answer about itself; empty while it is away. */
  async #get<T extends object>(path: string): Promise<Partial<T>> {
    const reply = await fetch(`http://127.0.0.1:${this.#options.monitorPort}/${path}`).catch(() => undefined)
    return reply?.ok ? ((await reply.json()) as T) : {}
  }
}

interface Raft {
  leader?: string
  replicas?: { name: string; current: boolean; offline?: boolean }[]
}

/** A server's answer about JetStream, as far as it is read here. */
interface JetStreamReport {
  meta_cluster?: Raft
  account_details?: {
    stream_detail?: {
      name: string
      cluster?: Raft
      consumer_detail?: { name: string; cluster?: Raft; num_pending: number; num_ack_pending: number }[]
    }[]
  }[]
}
