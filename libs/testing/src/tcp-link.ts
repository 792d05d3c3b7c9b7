import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

interface Pair {
  client: Socket
  server: Socket
}

/** The way to a server on this machine: a TCP proxy that can be cut, and that can lead to another server. */
export class TcpLink {
  readonly #listener: Server
  readonly #pairs = new Set<Pair>()
  /** Connections that were made while the link was cut. */
  readonly #waiting = new Set<Socket>()
  /** Connections of a server that has vanished: its clients are told nothing. */
  readonly #abandoned = new Set<Socket>()
  #target: number
  #isCut = false
  #isRefused = false

  private constructor(target: number, listener: Server) {
    this.#target = target
    this.#listener = listener.on('connection', client => this.#accept(client))
  }

  static async to(target: number): Promise<TcpLink> {
    const listener = createServer({ allowHalfOpen: false, pauseOnConnect: true })
    const link = new TcpLink(target, listener)
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return link
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port
  }

  /** Ends all connections, and each new one, like a network that says that there is no way. */
  refuse(): void {
    this.#isRefused = true
    for (const { client, server } of this.#pairs) {
      client.destroy()
      server.destroy()
    }
  }

  /** Passes nothing on, in neither direction, and closes nothing, like a network that loses everything. */
  cut(): void {
    this.#isCut = true
    for (const { client, server } of this.#pairs) {
      client.unpipe(server).pause()
      server.unpipe(client).pause()
    }
  }

  /** Passes on again, also what was sent meanwhile. */
  heal(): void {
    this.#isRefused = false
    this.#isCut = false
    for (const pair of this.#pairs) join(pair)
    for (const client of this.#waiting) this.#lead(client)
    this.#waiting.clear()
  }

  /** Leads to another server from now on. Connections that are open while the link is cut stay silent for ever. */
  moveTo(target: number): void {
    this.#target = target
    if (this.#isCut) {
      for (const { client, server } of this.#pairs) {
        this.#abandoned.add(client)
        server.destroy()
      }
      for (const client of this.#waiting) this.#abandoned.add(client)
      this.#pairs.clear()
      this.#waiting.clear()
    }
    this.#isCut = false
  }

  async stop(): Promise<void> {
    this.#listener.close()
    const sockets = [...this.#pairs].flatMap(({ client, server }) => [client, server])
    for (const socket of [...sockets, ...this.#waiting, ...this.#abandoned]) socket.destroy()
    await once(this.#listener, 'close')
  }

  #accept(client: Socket): void {
    client.setNoDelay(true).on('error', () => {})
    client.on('close', () => {
      this.#waiting.delete(client)
      this.#abandoned.delete(client)
    })
    if (this.#isRefused) client.destroy()
    else if (this.#isCut) this.#waiting.add(client)
    else this.#lead(client)
  }

  #lead(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1').setNoDelay(true)
    const pair = { client, server }
    this.#pairs.add(pair)
    server.on('error', () => {})
    // The end of one side is news that does not pass a link that is cut.
    const close = () => {
      if (this.#isCut || !this.#pairs.delete(pair)) return
      client.destroy()
      server.destroy()
    }
    client.on('close', close)
    server.on('close', close)
    join(pair)
  }
}

function join({ client, server }: Pair): void {
  if (client.destroyed || server.destroyed) {
    client.destroy()
    server.destroy()
    return
  }
  client.pipe(server)
  server.pipe(client)
}
