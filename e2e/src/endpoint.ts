import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { aHold, type Hold } from './git-proxy.ts'

/** An event as the feed and messages to endpoints have it. */
export interface Event {
  id: string
  sequence: number
  type: string
  subject: { space?: string }
  request?: string
}

interface Receiving {
  secret: string
  messages: Event[]
  hold?: ReturnType<typeof aHold>
}

/** A server for webhooks, each at an address of its own, which can be killed and started again. Messages must be signed. */
export class Endpoint {
  readonly #webhooks = new Map<string, Receiving>()
  #server: Server | undefined
  #port = 0

  /** The address of the webhook of a name. */
  url(name: string): string {
    return `http://127.0.0.1:${this.#port}/${name}`
  }

  /** Accepts what is signed with the secret at the address of a name. */
  accept(name: string, secret: string): void {
    this.#webhooks.set(name, { secret, messages: [] })
  }

  /** Messages that arrived for a name, in its order. */
  messagesOf(name: string): Event[] {
    return this.#webhooks.get(name)?.messages ?? []
  }

  /** Keeps the next reply for a name back until the release; the message has arrived by then. */
  holdReply(name: string): Hold {
    const hold = aHold()
    const webhook = this.#webhooks.get(name)
    if (!webhook) throw new Error(`There is no webhook ${name}`)
    webhook.hold = hold
    return hold
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      void this.#receive(request).then(
        () => response.writeHead(204).end(),
        () => response.writeHead(400).end(),
      )
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Breaks all connections and refuses new ones. */
  async kill(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise(resolve => this.#server?.close(resolve))
  }

  async #receive(request: IncomingMessage): Promise<void> {
    const webhook = this.#webhooks.get((request.url ?? '').slice(1))
    const body = await text(request)
    const headers = request.headers as Record<string, string>
    const { data } = new Webhook(webhook?.secret ?? '').verify(body, headers) as { data: Event }
    webhook?.messages.push(data)
    const hold = webhook?.hold
    if (!hold) return
    delete webhook.hold
    hold.reach()
    await hold.released
  }
}
