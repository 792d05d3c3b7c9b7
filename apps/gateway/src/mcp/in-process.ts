import { createServer, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'

/** A request that a part of this process sends to another part of it. */
export interface InProcessRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** The network address of who caused it. */
  address: string | undefined
  signal: AbortSignal
}

/** The answer to it. */
export interface InProcessReply {
  status: number
  location: string | undefined
  body: Buffer
}

/** Sends a request; rejects when its signal aborts, or when its reply has more bytes than this, with a `ReplyTooLarge`. */
export type SendInProcess = (request: InProcessRequest, maxBytes: number) => Promise<InProcessReply>

/** A reply that was given up because of its size. */
export class ReplyTooLarge extends Error {}

/** Sends HTTP requests to a listener in memory: over a pair of streams instead of a connection of the network. */
export function inProcess(listener: RequestListener): SendInProcess {
  const server = createServer(listener)
  return async ({ method, path, headers, body, address, signal }, maxBytes) => {
    const [connection, ofServer] = duplexPair()
    server.emit('connection', Object.assign(ofServer, { remoteAddress: address }))
    try {
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = sendRequest({ method, path, headers, signal, createConnection: () => connection }, resolve)
        sent.on('error', reject).end(body)
      })
      const chunks = await readUpTo(reply, maxBytes)
      return { status: reply.statusCode ?? 500, location: reply.headers.location, body: Buffer.concat(chunks) }
    } finally {
      // One stream of a pair does not tell the other that it was destroyed.
      for (const stream of [connection, ofServer]) stream.destroy()
    }
  }
}

async function readUpTo(reply: IncomingMessage, maxBytes: number): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxBytes) throw new ReplyTooLarge()
    chunks.push(chunk)
  }
  return chunks
}
