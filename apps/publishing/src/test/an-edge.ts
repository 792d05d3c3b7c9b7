import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { bodyOf, purgeLog, type PurgedServer } from './purged-server.ts'

/** The tokens and the secret that edges of tests take requests by. */
export const edgeSecrets = {
  varnish: 'token-of-varnish',
  fastly: 'token-of-fastly',
  cloudflare: 'token-of-cloudflare',
  webhook: `whsec_${Buffer.alloc(24, 'x').toString('base64')}`,
}

/** A cache in front of readers, as far as it is purged; it refuses what its API would. */
export interface TestEdge extends PurgedServer {
  /** Settings of publishing that lead to it. */
  settings: Record<string, string>
}

/** Starts an edge of a kind. */
export async function anEdge(kind: keyof typeof edgeSecrets): Promise<TestEdge> {
  const { state, note, ...log } = purgeLog()
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = (await bodyOf(request)).toString()
      const status = note(state.how === 'purge' ? tagsOf[kind](request, body) : state.how)
      if (status !== undefined) response.writeHead(status, { location: '/elsewhere', connection: 'close' }).end('{}')
    }
    void answer().catch(() => response.destroy())
  })
  const front = bansAsPurges(server)
  const start = async () => {
    front.listen(state.port)
    await once(front.server, 'listening')
    state.port = (front.server.address() as AddressInfo).port
  }
  await start()
  const url = `http://127.0.0.1:${state.port}`
  return {
    settings: settingsFor[kind](url),
    url,
    ...log,
    start,
    stop: async () => {
      if (front.server.listening) await front.stop()
    },
  }
}

/** Takes connections, of one request each, for a server of Node, which does not know the method `BAN`. */
function bansAsPurges(http: Server) {
  const sockets = new Set<Socket>()
  const server = createSocketServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', bytes => {
      socket.pause()
      socket.unshift(Buffer.from(bytes.toString('latin1').replace(/^BAN /, 'PURGE '), 'latin1'))
      http.emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
  return {
    server,
    listen: (at: number) => server.listen(at, '127.0.0.1'),
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

const settingsFor = {
  varnish: (url: string) => ({ EDGE_VARNISH_URL: `${url}/`, EDGE_VARNISH_TOKEN: edgeSecrets.varnish }),
  fastly: (url: string) => ({
    EDGE_FASTLY_URL: url,
    EDGE_FASTLY_SERVICE: 'aService',
    EDGE_FASTLY_TOKEN: edgeSecrets.fastly,
  }),
  cloudflare: (url: string) => ({
    EDGE_CLOUDFLARE_URL: `${url}/client/v4`,
    EDGE_CLOUDFLARE_ZONE: 'aZone',
    EDGE_CLOUDFLARE_TOKEN: edgeSecrets.cloudflare,
  }),
  webhook: (url: string) => ({ EDGE_WEBHOOK_URL: `${url}/purge`, EDGE_WEBHOOK_SECRET: edgeSecrets.webhook }),
}

/** The tags of a request as each kind reads it, or the status that it refuses it with. */
const tagsOf: Record<keyof typeof edgeSecrets, (request: IncomingMessage, body: string) => string[] | number> = {
  varnish: ({ method, headers }) => {
    if (method !== 'PURGE') return 405
    if (headers.authorization !== `Bearer ${edgeSecrets.varnish}`) return 401
    return limited(100, String(headers['surrogate-key']).split(' '))
  },
  fastly: ({ method, url, headers }, body) => {
    if (method !== 'POST' || url !== '/service/aService/purge') return 404
    // A soft purge would show the old answer once more.
    if (headers['fastly-soft-purge'] !== undefined) return 400
    if (headers['fastly-key'] !== edgeSecrets.fastly) return 401
    return limited(256, (JSON.parse(body) as { surrogate_keys: string[] }).surrogate_keys)
  },
  cloudflare: ({ method, url, headers }, body) => {
    if (method !== 'POST' || url !== '/client/v4/zones/aZone/purge_cache') return 404
    if (headers.authorization !== `Bearer ${edgeSecrets.cloudflare}`) return 403
    if (headers['content-type'] !== 'application/json') return 400
    return limited(100, (JSON.parse(body) as { tags: string[] }).tags)
  },
  webhook: ({ method, url, headers }, body) => {
    if (method !== 'POST' || url !== '/purge') return 404
    try {
      const message = new Webhook(edgeSecrets.webhook).verify(body, headers as Record<string, string>)
      const { type, data } = message as { type: string; data: { tags: string[] } }
      return type === 'edge.purge' ? limited(500, data.tags) : 400
    } catch {
      return 401
    }
  },
}

function limited(most: number, tags: string[]): string[] | number {
  return tags.length > most ? 413 : tags
}
