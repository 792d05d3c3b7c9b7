import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isReady } from './replicas.ts'

/** Milliseconds between two questions whether a gateway is ready. */
const pollEvery = 250

/** A balancer of connections. */
export interface LoadBalancer {
  url: string
  stop(): Promise<void>
}

/**
 * Shares connections between gateways as a Service of Kubernetes does: a new one goes to a gateway that was ready at the last poll, an
 * open one stays where it is until either side closes it.
 */
export async function aLoadBalancer(urls: string[]): Promise<LoadBalancer> {
  const stopping = new AbortController()
  let ready = urls
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, client => {
    const { hostname, port } = new URL(ready[turn++ % ready.length] ?? urls[0] ?? '')
    const backend = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => open.delete(from))
      from.pipe(to)
    }
  })
  const polling = poll(stopping.signal, async () => {
    const states = await Promise.all(urls.map(isReady))
    ready = urls.filter((_url, index) => states[index])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      stopping.abort()
      await polling
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function poll(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(pollEvery, undefined, { signal }).catch(() => {})
  }
}
