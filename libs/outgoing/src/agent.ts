import type { Agent } from 'undici'
import { pinnedConnector, type ConnectOptions } from './connect.ts'

/** An agent that is made for the first request. */
export interface LazyAgent {
  open(): Promise<Agent>
  /** Ends its connections; it makes no others. */
  close(): Promise<void>
}

/** Bytes of the headers of a reply. */
const maxHeaderSize = 32_768

/**
 * Makes an agent when it is needed: loading undici takes a tenth of the start of a service, and many services send no request for long.
 * `idleMs` limits the wait for headers, and that inside a body.
 */
export function lazyAgent(options: ConnectOptions, idleMs: number): LazyAgent {
  let agent: Promise<Agent> | undefined
  let isClosed = false
  const make = async () => {
    const { Agent, buildConnector } = await import('undici')
    const connect = pinnedConnector(buildConnector, options)
    const dispatcher = new Agent({ connect, headersTimeout: idleMs, bodyTimeout: idleMs, maxHeaderSize })
    if (isClosed) await dispatcher.destroy()
    return dispatcher
  }
  return {
    open: () => (agent ??= make()),
    async close() {
      isClosed = true
      await (await agent)?.destroy()
    },
  }
}
