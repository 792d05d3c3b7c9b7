import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer of a path: its body, or a function that answers by itself. */
type Answer = string | Uint8Array | ((response: ServerResponse, request: IncomingMessage) => void)

/** A web server on the loopback interface; paths may be set at any time, `/folder/*` for all others of a folder. */
export interface WebServer {
  url: string
  set(paths: Record<string, Answer>): void
  /** How often a path was asked for. */
  requests(path: string): number
  stop(): Promise<void>
}

/** Starts a web server; what it does not have is 404. */
export async function aWebServer(): Promise<WebServer> {
  const answers = new Map<string, Answer>()
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1)
    const answer = answers.get(pathname) ?? answers.get(`${pathname.slice(0, pathname.lastIndexOf('/') + 1)}*`)
    if (answer === undefined) return void response.writeHead(404).end()
    if (typeof answer === 'function') return answer(response, request)
    response.setHeader(
      'content-type',
      /\.\w+$/.test(pathname) ? 'application/octet-stream' : 'text/html; charset=utf-8',
    )
    return void response.end(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    set: paths => Object.entries(paths).forEach(([path, answer]) => answers.set(path, answer)),
    requests: path => counts.get(path) ?? 0,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
