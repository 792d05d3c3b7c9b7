import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HealthHandler } from './health.ts'
import type { Log } from './log.ts'

interface HealthServerOptions {
  health: HealthHandler
  port: number
  host?: string | undefined
  log: Log
}

/** Serves the health routes, on all interfaces unless a host is given (probes come from outside); resolves to the function that closes the server. */
export async function serveHealth({
  health,
  port,
  host = '0.0.0.0',
  log,
}: HealthServerOptions): Promise<() => Promise<void>> {
  const server = createServer((req, res) => {
    if (!health(req, res)) res.writeHead(404).end()
  })
  server.listen(port, host)
  await once(server, 'listening')
  log.info({ healthPort: (server.address() as AddressInfo).port }, 'health routes are served')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
