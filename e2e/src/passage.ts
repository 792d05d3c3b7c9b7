import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that hands requests on to another one. */
export interface Passage {
  /** The target's address with the host of this server; ends without a slash. */
  url: string
  port: number
  /** Paths that were asked for. */
  paths: string[]
  stop(): Promise<void>
}

/** Starts a server at localhost that hands requests on to a target, with these headers of theirs; as they are unless given. */
export async function aPassage(
  target: string,
  headersFor: (headers: IncomingHttpHeaders, own: string) => IncomingHttpHeaders = headers => headers,
): Promise<Passage> {
  const { hostname, port, pathname } = new URL(target)
  const paths: string[] = []
  const server = createServer((request, response) => {
    const { method, url: path = '/' } = request
    paths.push(path)
    const headers = headersFor(request.headers, `localhost:${own}`)
    const sent = sendRequest({ hostname, port, method, path, headers }, reply => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    sent.on('error', () => response.destroy())
    request.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://localhost:${own}${pathname.replace(/\/$/, '')}`, port: own, paths, stop }
}
