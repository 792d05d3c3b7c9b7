import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Stack } from './stack.ts'

interface Response {
  status: number
  body: Buffer
}

/** An API client on persistent connections, one unless given, so that latencies do not include connecting. */
export class Api {
  readonly #agent: Agent
  readonly #stack: Pick<Stack, 'url' | 'token'>

  constructor(stack: Pick<Stack, 'url' | 'token'>, connections = 1) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#stack = stack
  }

  async get<T>(path: string): Promise<T> {
    const { body } = await this.#request('GET', path)
    return JSON.parse(body.toString()) as T
  }

  async post<T>(path: string, content: unknown): Promise<T> {
    const { status, body } = await this.#request('POST', path, JSON.stringify(content))
    return (status === 204 ? undefined : JSON.parse(body.toString())) as T
  }

  async patch<T>(path: string, content: unknown): Promise<T> {
    const { body } = await this.#request('PATCH', path, JSON.stringify(content))
    return JSON.parse(body.toString()) as T
  }

  /** Milliseconds until the reply was read completely, and its size in bytes; with content, it is posted. */
  async time(path: string, content?: unknown): Promise<{ ms: number; bytes: number }> {
    const started = performance.now()
    const { body } =
      content === undefined
        ? await this.#request('GET', path)
        : await this.#request('POST', path, JSON.stringify(content))
    return { ms: performance.now() - started, bytes: body.byteLength }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #request(method: string, path: string, content?: string): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#stack.token}`,
      ...(content !== undefined && { 'content-type': 'application/json' }),
    }
    const reply = await new Promise<Response>((resolve, reject) => {
      const sent = request(`${this.#stack.url}/v1${path}`, { method, headers, agent: this.#agent }, response => {
        buffer(response).then(body => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
      sent.on('error', reject).end(content)
    })
    if (reply.status >= 400) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.body.toString()}`)
    return reply
  }
}

/** Creates an organization and returns its id. */
export async function anOrganization(api: Api): Promise<string> {
  return (await api.post<{ id: string }>('/orgs', { title: 'Bench' })).id
}

/** Creates a space and returns its id. */
export async function aSpace(api: Api, organization: string): Promise<string> {
  return (await api.post<{ id: string }>(`/orgs/${organization}/spaces`, { title: 'Bench' })).id
}
