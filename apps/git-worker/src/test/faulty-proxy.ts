import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The requests of an import and an export, in their order. */
export type Phase = 'refs' | 'capabilities' | 'objects' | 'pack' | 'push-refs' | 'push'

/** The response of the git server behind the proxy. */
interface GitResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Forwards the request to the git server, with other headers; an undefined header is removed. */
  forward(headers?: Record<string, string | undefined>): Promise<GitResponse>
}

/** A fault that the proxy injects instead of forwarding a request. */
export type Fault = (exchange: Exchange) => Promise<void> | void

/** A proxy in front of a git server, which forwards requests or injects the faults of a test. */
export interface FaultyProxy {
  url: string
  /** The requests so far, with their credentials. */
  requests: { phase: Phase; authorization: string | undefined; path: string }[]
  /** Injects a fault into the next requests of a phase: `times` of them, or all. */
  fail(phase: Phase, fault: Fault, times?: number): void
  stop(): Promise<void>
}

export async function aFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: FaultyProxy['requests'] = []
  const faults = new Map<Phase, { fault: Fault; left: number }>()
  const server = createServer((request, response) => {
    const phase = phaseOf(request)
    seen.push({ phase, authorization: request.headers.authorization, path: request.url ?? '' })
    const plan = faults.get(phase)
    const fault = plan && plan.left-- > 0 ? plan.fault : pass
    const body = bytesOf(request)
    body.catch(() => undefined)
    const ask: Exchange['forward'] = async headers => forwardTo(target, { request, body: await body, headers })
    Promise.resolve(fault({ request, response, forward: ask })).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs.git`,
    requests: seen,
    fail: (phase, fault, times = Infinity) => void faults.set(phase, { fault, left: times }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function phaseOf({ url = '', method, headers }: IncomingMessage): Phase {
  const isPush = url.includes('git-receive-pack')
  const isSecond = headers['git-protocol'] === 'version=2'
  if (isPush) return method === 'POST' ? 'push' : 'push-refs'
  if (method === 'POST') return isSecond ? 'objects' : 'pack'
  return isSecond ? 'capabilities' : 'refs'
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function forwardTo(
  target: string,
  {
    request,
    body,
    headers = {},
  }: { request: IncomingMessage; body: Buffer; headers: Record<string, string | undefined> | undefined },
): Promise<GitResponse> {
  const { origin } = new URL(target)
  const sent = Object.fromEntries(
    Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== undefined),
  )
  const forwardedRequest = sendRequest(`${origin}${request.url}`, {
    method: request.method,
    headers: sent as Record<string, string>,
  })
  forwardedRequest.end(body)
  const [reply] = (await once(forwardedRequest, 'response')) as [IncomingMessage]
  const { 'transfer-encoding': _chunked, connection: _connection, ...replyHeaders } = reply.headers
  return { status: reply.statusCode ?? 0, headers: replyHeaders as Record<string, string>, body: await bytesOf(reply) }
}

const pass: Fault = async ({ response, forward: ask }) => {
  const { status, headers, body } = await ask()
  response.writeHead(status, headers).end(body)
}

/** Responds with a status and a text. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    void response.writeHead(code, headers).end(body)

/** Never responds. */
export const hang: Fault = () => undefined

/** Lets the git server do its work, and ends the connection before or within its response. */
export const cutResponse =
  (bytes: number): Fault =>
  async ({ response, forward: ask }) => {
    const answer = await ask()
    if (bytes === 0) return void response.destroy()
    response.writeHead(answer.status, answer.headers)
    response.write(answer.body.subarray(0, bytes), () => response.destroy())
  }

/** Sends a part of the response, and then nothing. */
export const stallResponse =
  (bytes: number): Fault =>
  async ({ response, forward: ask }) => {
    const answer = await ask()
    response.writeHead(answer.status, answer.headers)
    response.write(answer.body.subarray(0, bytes))
  }

/** Ends the connection without reading the request. */
export const refuse: Fault = ({ request }) => void request.socket.destroy()

/** Changes the response of the git server. */
export const editResponse =
  (edit: (answer: GitResponse) => GitResponse): Fault =>
  async ({ response, forward: ask }) => {
    const { status: code, headers, body } = edit(await ask())
    response.writeHead(code, headers).end(body)
  }

/** Compresses the response, although the request refuses it. */
export const gzipResponse = editResponse(({ status: code, headers, body }) => ({
  status: code,
  headers: { ...headers, 'content-encoding': 'gzip' },
  body: gzipSync(body),
}))

/** Announces a wrong length of the body. */
export const wrongLength =
  (more: number): Fault =>
  async ({ response, forward: ask }) => {
    const { status: code, headers, body } = await ask()
    const head = Object.entries({ ...headers, 'content-length': body.length + more, connection: 'close' })
    response.socket?.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 ${code} OK\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
        body,
      ]),
    )
  }

/** Removes a header of the request. */
export const withoutHeader =
  (name: string): Fault =>
  async ({ response, forward: ask }) => {
    const { status: code, headers, body } = await ask({ [name]: undefined })
    response.writeHead(code, headers).end(body)
  }

/** Redirects to the same path elsewhere. */
export const redirect =
  (to: (path: string) => string, code = 302): Fault =>
  ({ request, response }) =>
    void response.writeHead(code, { location: to(request.url ?? '') }).end()
