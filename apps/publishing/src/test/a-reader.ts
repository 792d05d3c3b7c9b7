import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyOf, purgeLog, type PurgedServer } from './purged-server.ts'

/** A reader of published sites as far as it purges its cache: it verifies signatures as readers do. */
export type TestReader = PurgedServer

/** Starts a reader with a secret. */
export async function aReader(secret: string): Promise<TestReader> {
  const { state, note, ...log } = purgeLog()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const how = faultOf(request, body, secret) ?? state.how
    const status = note(how === 'purge' ? (JSON.parse(body.toString()) as { tags: string[] }).tags : how)
    if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
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
    ...log,
    start,
    stop: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function faultOf({ method, url, headers }: IncomingMessage, body: Buffer, secret: string): number | undefined {
  if (method !== 'POST' || url !== '/~gitbook/revalidate') return 404
  const signature = Buffer.from(String(headers['x-gitbook-signature'] ?? ''), 'hex')
  const expected = createHmac('sha256', secret).update(body).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? undefined : 401
}
