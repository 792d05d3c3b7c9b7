import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request that a proxy keeps back until it is released; `reached` resolves when there is one. */
export interface Hold {
  reached: Promise<void>
  release(): void
}

/** The request to keep back: before the server has it, or with the answer that the server gave. */
export interface HeldRequest {
  repository: string
  /** Method, path below the repository and query, as in `POST /git-upload-pack`. */
  request: string
  /** Which one of these requests, from now on; the first unless given. */
  nth?: number
  when: 'before' | 'after'
}

/** An HTTP proxy in front of a git server, which keeps back chosen requests and can be down. */
export interface GitProxy {
  url(repository: string): string
  hold(held: HeldRequest): Hold
  /** Connections that are open now. */
  connections(): Promise<number>
  /** Breaks all connections and refuses new ones. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

/** A promise and what settles it. */
export function aHold(): Hold & { reach(): void; released: Promise<void> } {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>(resolve => (reach = resolve))
  const released = new Promise<void>(resolve => (release = resolve))
  return { reached, released, reach: () => reach(), release: () => release() }
}

type Held = HeldRequest & { hold: ReturnType<typeof aHold>; seen: number }

/** Starts a proxy in front of the git server at a port of 127.0.0.1. */
export async function aGitProxy(target: number): Promise<GitProxy> {
  const all: Held[] = []
  const server = createServer((request, response) => {
    pass({ request, response, target, held: matching(all, request) }).catch(() => response.destroy())
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const down = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: repository => `http://127.0.0.1:${port}/${repository}.git`,
    hold: held => {
      const hold = aHold()
      all.push({ ...held, hold, seen: 0 })
      return hold
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    down,
    up: () => listen(port),
    stop: async () => {
      for (const { hold } of all) hold.release()
      if (server.listening) await down()
    },
  }
}

function matching(all: Held[], { method, url = '' }: IncomingMessage): Held | undefined {
  const [, repository, rest] = /^\/([^/]+?)\.git(\/.*)$/.exec(url) ?? []
  return all.find(held => {
    if (held.repository !== repository || held.request !== `${method} ${rest}`) return false
    held.seen += 1
    return held.seen === (held.nth ?? 1)
  })
}

interface Passing {
  request: IncomingMessage
  response: ServerResponse
  target: number
  held: Held | undefined
}

async function pass({ request, response, target, held }: Passing): Promise<void> {
  const body = await buffer(request)
  if (held?.when === 'before') {
    held.hold.reach()
    await held.hold.released
    // Whoever asked is gone, so that the server is never asked.
    if (request.socket.destroyed) return
  }
  const { method, url, headers } = request
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // A connection of its own: the server may close one that was kept, just as a request is sent on it.
    const to = { host: '127.0.0.1', port: target, method, path: url, headers, agent: false as const }
    const passed = httpRequest(to, resolve)
    passed.on('error', reject).end(body)
  })
  const answered = await buffer(answer)
  if (held?.when === 'after') {
    held.hold.reach()
    await held.hold.released
  }
  response.writeHead(answer.statusCode ?? 502, answer.headers).end(answered)
}
