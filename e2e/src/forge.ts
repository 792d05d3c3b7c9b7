import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { aHold, type Hold } from './git-proxy.ts'

export type ForgeName = 'github' | 'gitlab' | 'gitea' | 'forgejo'

/** A status of a commit as a forge received it. */
export interface ForgeStatus {
  commit: string
  state: string
  description: string
  targetUrl: string | undefined
  /** Lines of faults, of a check run. */
  annotations: string[]
}

/** The header with the token that each forge takes. */
const tokenHeaders: Record<ForgeName, (token: string) => [string, string]> = {
  github: token => ['authorization', `Bearer ${token}`],
  gitlab: token => ['private-token', token],
  gitea: token => ['authorization', `token ${token}`],
  forgejo: token => ['authorization', `token ${token}`],
}

interface Reply {
  status: number
  headers?: Record<string, string>
}

/** A server that speaks the API for statuses of one forge. */
export class Forge {
  readonly name: ForgeName
  readonly token: string
  /** Statuses in the order in which they arrived. */
  readonly statuses: ForgeStatus[] = []
  /** Open pull requests, as the forge lists them. */
  pulls: object[] = []
  /** Requests that were refused or limited. */
  refused = 0
  /** Whether the token may make check runs, as that of a GitHub App may. */
  readonly #allowsChecks: boolean
  readonly #faults: Reply[] = []
  readonly #server: Server
  #hold: (ReturnType<typeof aHold> & { matches(status: ForgeStatus): boolean }) | undefined
  #port = 0

  constructor(name: ForgeName, { token, allowsChecks = false }: { token: string; allowsChecks?: boolean }) {
    this.name = name
    this.token = token
    this.#allowsChecks = allowsChecks
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.#port}/api`
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** Answers the next requests for statuses so. */
  fail(...replies: Reply[]): void {
    this.#faults.push(...replies)
  }

  /** Keeps the reply to the next status back, or to the next one that matches, which the forge has by then. */
  holdReply(matches: (status: ForgeStatus) => boolean = () => true): Hold {
    this.#hold = { ...aHold(), matches }
    return this.#hold
  }

  /** The statuses of a commit, the newest last. */
  of(commit: string): ForgeStatus[] {
    return this.statuses.filter(status => status.commit === commit)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [header, value] = tokenHeaders[this.name](this.token)
    const body = await text(request)
    if (request.headers[header] !== value) return this.#end(response, { status: 401 })
    if (request.method === 'GET') return void response.end(JSON.stringify(this.pulls))
    const fault = this.#faults.shift()
    if (fault) return this.#end(response, fault)
    const isCheck = request.url?.endsWith('/check-runs') === true
    if (isCheck && !this.#allowsChecks) return this.#end(response, { status: 403 })
    const status = isCheck ? checkIn(body) : statusIn(request.url ?? '', body)
    this.statuses.push(status)
    const hold = this.#hold?.matches(status) ? this.#hold : undefined
    if (hold) this.#hold = undefined
    hold?.reach()
    await hold?.released
    response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  }

  #end(response: ServerResponse, { status, headers = {} }: Reply): void {
    this.refused++
    response.writeHead(status, headers).end('{"message": "no"}')
  }
}

function statusIn(url: string, body: string): ForgeStatus {
  const status = JSON.parse(body) as { state: string; description: string; target_url?: string }
  const commit = /\/statuses\/([0-9a-f]{40})$/.exec(url)?.[1] ?? url
  return { commit, state: status.state, description: status.description, targetUrl: status.target_url, annotations: [] }
}

interface CheckRun {
  head_sha: string
  status: string
  conclusion?: string
  details_url?: string
  output: { title: string; annotations: { path: string; start_line: number; message: string }[] }
}

function checkIn(body: string): ForgeStatus {
  const { head_sha: commit, status, conclusion, details_url: targetUrl, output } = JSON.parse(body) as CheckRun
  const annotations = output.annotations.map(({ path, start_line: line }) => `${path}:${line}`)
  const state = status === 'completed' ? (conclusion ?? '') : 'pending'
  return { commit, state, description: output.title, targetUrl, annotations }
}
