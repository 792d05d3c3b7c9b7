import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Disconnects whoever takes longer than some milliseconds to send a body, with 408 if nothing was answered yet. Node's own limit
 * holds for all requests of a server, and uploads may take longer.
 */
export function limitBodyTime(
  server: Server,
  milliseconds: number,
  isExempt: (request: IncomingMessage) => boolean,
): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request) || isExempt(request)) return
    const timer = setTimeout(() => disconnect(request, response), milliseconds)
    const clear = (): void => clearTimeout(timer)
    request.once('end', clear).once('close', clear)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return length !== '0' || encoding !== undefined
}

function disconnect(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return
  const destroy = (): void => void request.destroy(new Error('The body did not arrive in time'))
  if (response.headersSent) destroy()
  else response.writeHead(408, { connection: 'close', 'content-length': 0 }).end(destroy)
}
