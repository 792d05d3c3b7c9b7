import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what Linux and macOS give to outgoing connections: one of those could take the port before its server does.
const [lowest, highest] = [15_000, 32_000]
const attempts = 100

/** A TCP port that was free on 127.0.0.1 a moment ago, and that no outgoing connection takes. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest)
    if (await isPortFree(port)) return port
  }
  throw new Error(`No port from ${lowest} to ${highest} is free`)
}

/** Tells whether nothing listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (free) {
    server.close()
    await once(server, 'close')
  }
  return free
}
