import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports of Linux and macOS: an outgoing connection could take the port before the server does.
const lowest = 15_000
const highest = 32_000
const attempts = 100
/** Each process has one share of the ports by its id, because two that look at the same time would both find a port free. */
const shares = 64
/** How many ports of a process are not found again: a server may not listen yet. */
const remembered = 50
const ports: number[] = []

/** Finds a TCP port that is free on 127.0.0.1, outside the ephemeral range; not one of those that it found last. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + randomInt(Math.floor((highest - lowest) / shares)) * shares + (process.pid % shares)
    if (ports.includes(port)) continue
    ports.push(port)
    ports.splice(0, ports.length - remembered)
    if (await isPortFree(port)) return port
  }
  throw new Error(`No port from ${lowest} to ${highest} is free`)
}

/** Checks that nothing listens on a port of 127.0.0.1. */
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
