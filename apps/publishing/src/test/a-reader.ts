import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reader of published sites as far as it purges its cache: it verifies signatures as readers do. */
export interface TestReader {
  url: string
  /** Tags of each request that it answered with 200. */
  purged: string[][]
  /** Statuses of the others, and `hang` for those that it does not answer. */
  others: (number | 'hang')[]
  /** Sets how it answers the next requests: by purging, with a status, or not at all. */
  behave(how: 'purge' | 'hang' | number): void
  stop(): Promise<void>
  /** Listens again, where it did. */
  start(): Promise<void>
}

/** Starts a reader with a secret. */
export async function aReader(secret: string): Promise<TestReader> {
  const state = { how: 'purge' as 'purge' | 'hang' | number, port: 0 }
  const purged: string[][] = []
  const others: (number | 'hang')[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const refused = faultOf(request, body, secret)
    const how = refused ?? state.how
    if (how !== 'purge') others.push(how)
    if (how === 'hang') return
    if (how === 'purge') purged.push((JSON.parse(body.toString()) as { tags: string[] }).tags)
    response.writeHead(how === 'purge' ? 200 : how, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  const start = async () => {
    server.listen(state.port, '127.0.0.1')
    await once(server, 'listening')
    state.port = (server.address() as AddressInfo).port
  }
  await start()
  return {
    url: `http://127.0.0.1:${state.port}`,
    purged,
    others,
    start,
    behave: how => void (state.how = how),
    stop: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function faultOf({ method, url, headers }: IncomingMessage, body: Buffer, secret: string): number | undefined {
  if (method !== 'POST' || url !== '/~gitbook/revalidate') return 404
  const signature = Buffer.from(String(headers['x-gitbook-signature'] ?? ''), 'hex')
  const expected = createHmac('sha256', secret).update(body).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? undefined : 401
}
