import {
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Payload,
} from '@nats-io/transport-node'

/** Options of a request. */
export interface RequestOptions {
  /** Milliseconds until it fails with a `TimeoutError`. */
  timeout: number
  headers?: MsgHdrs
}

interface Pending {
  subject: string
  timer: NodeJS.Timeout
  resolve(reply: Msg): void
  reject(reason: unknown): void
}

/** The status that NATS answers with where nobody subscribes to the subject of a request. */
const noResponders = 503

/**
 * Requests with one reply each, all over one subscription, like the client library's own; those make five promises and an error with its
 * stack for each request, a twentieth of the gateway's processor time.
 */
export class Requests {
  readonly #connection: NatsConnection
  readonly #inbox: string
  readonly #pending = new Map<string, Pending>()
  #last = 0
  #isSubscribed = false

  /** `inbox` is a subject below which nobody else gets replies; it is subscribed to with the first request. */
  constructor(connection: NatsConnection, inbox: string) {
    this.#connection = connection
    this.#inbox = `${inbox}.`
  }

  /** Sends a request; rejects with the error of the client library when there is no reply. */
  send(subject: string, body: Payload | undefined, { timeout, headers }: RequestOptions): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const token = String((this.#last += 1))
      const timer = setTimeout(() => this.#take(token)?.reject(new TimeoutError()), timeout)
      this.#pending.set(token, { subject, timer, resolve, reject })
      try {
        this.#subscribe()
        this.#connection.publish(subject, body, { reply: this.#inbox + token, ...(headers && { headers }) })
      } catch (error) {
        this.#take(token)?.reject(error)
      }
    })
  }

  /** Ends requests whose subject this service may not publish to, by the error that NATS has reported. */
  refuse(error: Error): void {
    if (!(error instanceof PermissionViolationError) || error.operation !== 'publish') return
    for (const [token, { subject }] of this.#pending) if (subject === error.subject) this.#take(token)?.reject(error)
  }

  /** Ends all requests that wait. */
  rejectAll(reason: unknown): void {
    for (const token of this.#pending.keys()) this.#take(token)?.reject(reason)
  }

  #subscribe(): void {
    if (this.#isSubscribed) return
    const callback = (error: Error | null, reply: Msg) => (error ? this.rejectAll(error) : this.#settle(reply))
    this.#connection.subscribe(`${this.#inbox}*`, { callback })
    this.#isSubscribed = true
  }

  #settle(reply: Msg): void {
    const request = this.#take(reply.subject.slice(this.#inbox.length))
    if (!request) return
    const isUnanswered = reply.data.byteLength === 0 && reply.headers?.code === noResponders
    if (isUnanswered) request.reject(new NoRespondersError(request.subject))
    else request.resolve(reply)
  }

  #take(token: string): Pending | undefined {
    const request = this.#pending.get(token)
    if (!request) return undefined
    this.#pending.delete(token)
    clearTimeout(request.timer)
    return request
  }
}
