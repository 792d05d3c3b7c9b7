import { once } from 'node:events'
import type { Server } from 'node:http'

/**
 * Connections that wait to be accepted, or as many as the system allows (`net.core.somaxconn`). Node's own 511 are few when a thousand
 * visitors come at once: Linux drops the others, and they try again after one second, then two, then four.
 */
const backlog = 4_096

/** Listens on a port; resolves once it does. Throws the system's error, such as `EADDRINUSE`. */
export async function listenOn(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  server.listen({ port, host, backlog })
  await once(server, 'listening')
}

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
