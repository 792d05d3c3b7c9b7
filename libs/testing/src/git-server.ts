import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { askGit } from './git-backend.ts'

/** A request that the git server received. */
export interface GitRequest {
  method: string
  path: string
}

/** A smart HTTP git server on 127.0.0.1 with fault injection. */
export interface GitServer {
  port: number
  /** The clone URL of a repository, without credentials. */
  url(name: string): string
  requests: GitRequest[]
  /** Holds every new request until `resume`. */
  pause(): void
  /** Stalls packs after this many bytes with the connection open, until `resume`. */
  stallPacks(bytes: number): void
  /** Closes the connection after this many bytes of a pack, until `resume`. */
  cutPacks(bytes: number): void
  /** The number of requests that the fault blocks now. */
  held(): number
  /** Lets clients leave files out of what they fetch, or not. */
  setFilters(filters: boolean): void
  /** Ends the fault for new requests; those that it blocks stay blocked. */
  letPass(): void
  /** Ends the fault and releases the blocked requests. */
  resume(): void
  stop(): Promise<void>
}

interface GitServerOptions {
  /** Paths of bare repositories by name. */
  repositories: Record<string, string>
  /** Credentials of Basic authentication required of every request. */
  auth?: { username: string; password: string }
  /** Whether clients may leave files out of what they fetch; true unless given, as on the large hosts. */
  filters?: boolean
}

/** Serves bare repositories through `git http-backend`: clone, fetch and push. */
export async function aGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: GitRequest[] = []
  const faults = new Faults()
  const settings = { ...options }
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '' })
    answer({ request, response, faults, options: settings }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = async () => {
    faults.set('none')
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    port,
    url: name => `http://127.0.0.1:${port}/${name}.git`,
    requests,
    pause: () => faults.set('pause'),
    stallPacks: bytes => faults.set('stall', bytes),
    cutPacks: bytes => faults.set('cut', bytes),
    held: () => faults.held,
    setFilters: filters => void (settings.filters = filters),
    letPass: () => void (faults.kind = 'none'),
    resume: () => faults.set('none'),
    stop,
  }
}

type Fault = 'none' | 'pause' | 'stall' | 'cut'

/** The current fault, and the requests that wait for its end. */
class Faults {
  kind: Fault = 'none'
  bytes = 0
  held = 0
  #over: Promise<void> = Promise.resolve()
  #end = () => {}

  set(kind: Fault, bytes = 0): void {
    this.#end()
    this.kind = kind
    this.bytes = bytes
    this.#over = new Promise(resolve => (this.#end = resolve))
    if (kind === 'none') this.#end()
  }

  async hold(): Promise<void> {
    this.held++
    await this.#over
    this.held--
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  faults: Faults
  options: GitServerOptions
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, faults, options } = exchange
  if (faults.kind === 'pause') await faults.hold()
  if (!isAllowed(request, options.auth)) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    return
  }
  const [, name = '', rest = ''] = /^\/([^/]+?)(?:\.git)?(\/.*)$/.exec(request.url ?? '') ?? []
  const repository = options.repositories[name]
  if (repository === undefined) {
    response.writeHead(404).end()
    return
  }
  const reply = await askGit(request, repository, { rest, filters: options.filters ?? true })
  response.once('close', reply.stop)
  response.writeHead(reply.status, reply.headers)
  await send(reply.body, exchange)
}

function isAllowed(request: IncomingMessage, auth: GitServerOptions['auth']): boolean {
  if (!auth) return true
  return (
    request.headers.authorization === `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
  )
}

async function send(body: AsyncIterable<Buffer>, { request, response, faults }: Exchange): Promise<void> {
  let room = request.method === 'POST' ? faults.bytes : Infinity
  for await (const chunk of body) {
    const isFaulty = (faults.kind === 'stall' || faults.kind === 'cut') && chunk.length > room
    if (!isFaulty) {
      room -= chunk.length
      response.write(chunk)
      continue
    }
    response.write(chunk.subarray(0, room))
    if (faults.kind === 'cut') return void setImmediate(() => response.destroy())
    await faults.hold()
    response.write(chunk.subarray(room))
    room = Infinity
  }
  response.end()
}
