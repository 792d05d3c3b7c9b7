import { once } from 'node:events'
import type { Server } from 'node:http'

/** Milliseconds between two looks for connections that have become idle while a server closes. */
const idleLook = 50

/** Closes each connection with its next reply, so that its client opens the next one at a process that stays. */
export function closeWithReplies(server: Server): void {
  server.prependListener('request', (_request, response) => void response.setHeader('connection', 'close'))
}

/** Stops listening and resolves once all requests are answered: busy connections close with their reply, idle ones at once. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  closeWithReplies(server)
  server.close()
  const closing = setInterval(() => server.closeIdleConnections(), idleLook)
  await closed
  clearInterval(closing)
}
