import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port that was free on 127.0.0.1 a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port')
  return address.port
}

/** Tells whether nothing listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(() => true, () => false)
  if (free) {
    server.close()
    await once(server, 'close')
  }
  return free
}
