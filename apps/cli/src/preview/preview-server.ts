import { readFileSync } from 'node:fs'
import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type LoopbackServer, startLoopbackServer } from '../site/loopback-server.ts'
import { injectPreview } from './inject-preview.rules.ts'

/** A server in front of a reader, whose pages follow the folder. */
export interface PreviewServer extends LoopbackServer {
  /** Tells open pages that there is something new, or why there is not. */
  send(event: { type: 'change' } | { type: 'fault'; message: string }): void
}

const scriptPath = '/~recto-preview/live.js'
const eventsPath = '/~recto-preview/events'
const usualScript = () => readFileSync(fileURLToPath(new URL('./assets/live.js', import.meta.url)))

/** Starts a preview of the reader at an address. Only pages of the preview itself may use it: a request for another host is refused. */
export async function startPreviewServer(
  readerUrl: string,
  { port, script = usualScript() }: { port: number; script?: Buffer },
): Promise<PreviewServer> {
  const listeners = new Set<ServerResponse>()
  let lastEvent = { type: 'change' } as Parameters<PreviewServer['send']>[0]
  const server = await startLoopbackServer((request, response) => {
    if (!isOwnHost(request.headers.host)) return void response.writeHead(403).end('This is a preview for 127.0.0.1.')
    if (request.url === scriptPath)
      return void response
        .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
        .end(script)
    if (request.url === eventsPath) return listen(response, { listeners, lastEvent })
    // A page that is loaded while the folder cannot be read is of an earlier state, and says so.
    const faultOf = () => (lastEvent.type === 'fault' ? lastEvent.message : undefined)
    return forward(request, response, { readerUrl, faultOf })
  }, port)
  return {
    ...server,
    send(event) {
      lastEvent = event
      for (const listener of listeners) listener.write(`data: ${JSON.stringify(event)}\n\n`)
    },
  }
}

function isOwnHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '')
}

function listen(
  response: ServerResponse,
  { listeners, lastEvent }: { listeners: Set<ServerResponse>; lastEvent: Parameters<PreviewServer['send']>[0] },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 500\n\n')
  // A page that was opened before the folder could not be read says so, too, when it comes back.
  if (lastEvent.type === 'fault') response.write(`data: ${JSON.stringify(lastEvent)}\n\n`)
  listeners.add(response)
  response.once('close', () => listeners.delete(response))
}

/** A reader, and why its pages are old, if they are. */
interface ReaderState {
  readerUrl: string
  faultOf(): string | undefined
}

function forward(request: IncomingMessage, response: ServerResponse, { readerUrl, faultOf }: ReaderState): void {
  const { method, url = '/', headers } = request
  // A browser asks for a page whole and anew: what it kept may be of another state of the folder.
  const { 'if-none-match': _tag, 'accept-encoding': _encoding, ...others } = headers
  const target = new URL(readerUrl)
  const options = {
    host: target.hostname,
    port: target.port,
    path: url,
    headers: others,
    ...(method !== undefined && { method }),
  }
  const upstream = sendRequest(options, reply => void pass(reply, response, faultOf).catch(() => response.destroy()))
  upstream.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end('The page cannot be read.')
  })
  request.pipe(upstream)
}

async function pass(reply: IncomingMessage, response: ServerResponse, faultOf: ReaderState['faultOf']): Promise<void> {
  const status = reply.statusCode ?? 502
  const isPage = (reply.headers['content-type'] ?? '').startsWith('text/html')
  if (!isPage) {
    response.writeHead(status, reply.headers)
    return void reply.pipe(response)
  }
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  const policy = String(reply.headers['content-security-policy'] ?? '')
  const html = injectPreview(Buffer.concat(chunks).toString(), { policy, src: scriptPath, fault: faultOf() })
  const { 'content-length': _length, 'transfer-encoding': _coding, etag: _etag, ...headers } = reply.headers
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end(html)
}
