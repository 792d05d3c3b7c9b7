import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The part of a reader that purges its cache: it takes tags that are signed with its secret. */
export interface RevalidatedReader {
  url: string
  /** The tags that it was told to purge. */
  tags: string[]
  /** Requests that it refused. */
  refused: string[]
  stop(): void
}

/** Starts it on a free port. */
export async function aRevalidatedReader(secret: string): Promise<RevalidatedReader> {
  const tags: string[] = []
  const refused: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const isRight = request.url === '/~gitbook/revalidate' && request.headers['x-gitbook-signature'] === signature
      if (isRight) tags.push(...(JSON.parse(body.toString()) as { tags: string[] }).tags)
      else refused.push(`${request.method} ${request.url}`)
      response.writeHead(isRight ? 200 : 401).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, tags, refused, stop: () => void server.close() }
}
