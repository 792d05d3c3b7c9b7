import type { IncomingMessage, ServerResponse } from 'node:http'
import { detectContentType, sniffedBytes } from '@recto/convert/content-type'
import { baseName } from '@recto/repository-format'
import { parseJson } from '@recto/text'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { replyTo, type SiteTools } from './site-replies.ts'

/** Bytes of the body of a request: readers send addresses and queries. */
const maxBodyBytes = 64 * 1024

/** Starts a server that answers a reader as the API would, from a folder. */
export async function startSiteServer(tools: Omit<SiteTools, 'baseUrl'>): Promise<LoopbackServer> {
  let url = ''
  const all: SiteTools = { ...tools, baseUrl: () => url }
  const server = await startLoopbackServer((request, response) => {
    answer(request, response, all).catch((error: unknown) => {
      sendJson(response, 503, {
        error: { code: 503, message: error instanceof Error ? error.message : 'The folder cannot be read' },
      })
    })
  })
  url = server.url
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse, tools: SiteTools): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [, spaceId = '', revision = '', file = ''] = /^\/files\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
  if (file !== '') return sendFile(response, { spaceId, revision, file }, tools)
  const body = await bodyOf(request)
  const path = pathname.replace(/^\/v1/, '')
  const reply = await replyTo({ method: request.method ?? 'GET', path, query, body }, tools)
  if (reply) sendJson(response, 200, reply)
  else sendJson(response, 404, { error: { code: 404, message: 'There is no such page' } })
}

function sendJson(response: ServerResponse, status: number, reply: object): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
}

async function sendFile(
  response: ServerResponse,
  { spaceId, revision, file }: { spaceId: string; revision: string; file: string },
  { site }: SiteTools,
): Promise<void> {
  const space = site.space(spaceId, revision)
  const path = space?.content.file(file)?.file.git.path
  if (!space || path === undefined) return sendJson(response, 404, { error: { code: 404, message: 'No such file' } })
  const bytes = await space.read(path)
  const contentType = await detectContentType(Buffer.from(bytes.subarray(0, sniffedBytes)), baseName(path))
  response.writeHead(200, { 'content-type': contentType, 'content-length': String(bytes.length) }).end(bytes)
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > maxBodyBytes) return undefined
    chunks.push(chunk as Buffer)
  }
  return parseJson(Buffer.concat(chunks).toString())
}
