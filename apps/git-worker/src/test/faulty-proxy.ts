import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The requests of an import and an export, in their order. */
export type Phase = 'refs' | 'capabilities' | 'objects' | 'pack' | 'push-refs' | 'push'

/** The answer of the git server behind the front. */
interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Asks the git server, with other headers where they are given; undefined leaves one out. */
  ask(headers?: Record<string, string | undefined>): Promise<Answer>
}

/** A fault that a front injects instead of passing a request on. */
export type Fault = (exchange: Exchange) => Promise<void> | void

/** A server in front of a git server, which passes requests on, or does what a test says. */
export interface Front {
  url: string
  /** The requests that arrived, with the credentials that they carried. */
  seen: { phase: Phase; authorization: string | undefined; path: string }[]
  /** The next requests of a phase meet a fault: as many as `times`, or all. */
  fail(phase: Phase, fault: Fault, times?: number): void
  stop(): Promise<void>
}

export async function aFront(target: string): Promise<Front> {
  const seen: Front['seen'] = []
  const faults = new Map<Phase, { fault: Fault; left: number }>()
  const server = createServer((request, response) => {
    const phase = phaseOf(request)
    seen.push({ phase, authorization: request.headers.authorization, path: request.url ?? '' })
    const planned = faults.get(phase)
    const fault = planned && planned.left-- > 0 ? planned.fault : pass
    const body = bytesOf(request)
    body.catch(() => undefined)
    const ask: Exchange['ask'] = async headers => askServer(target, { request, body: await body, headers })
    Promise.resolve(fault({ request, response, ask })).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs.git`,
    seen,
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

async function askServer(
  target: string,
  {
    request,
    body,
    headers = {},
  }: { request: IncomingMessage; body: Buffer; headers: Record<string, string | undefined> | undefined },
): Promise<Answer> {
  const { origin } = new URL(target)
  const sent = Object.fromEntries(
    Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== undefined),
  )
  const asked = sendRequest(`${origin}${request.url}`, {
    method: request.method,
    headers: sent as Record<string, string>,
  })
  asked.end(body)
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = reply.headers
  return { status: reply.statusCode ?? 0, headers: kept as Record<string, string>, body: await bytesOf(reply) }
}

const pass: Fault = async ({ response, ask }) => {
  const { status, headers, body } = await ask()
  response.writeHead(status, headers).end(body)
}

/** Answers with a status, and some text. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    void response.writeHead(code, headers).end(body)

/** Never answers. */
export const hang: Fault = () => undefined

/** Lets the git server do its work, and ends the connection before or inside of its answer. */
export const cutAnswer =
  (bytes: number): Fault =>
  async ({ response, ask }) => {
    const answer = await ask()
    if (bytes === 0) return void response.destroy()
    response.writeHead(answer.status, answer.headers)
    response.write(answer.body.subarray(0, bytes), () => response.destroy())
  }

/** Sends a part of the answer and then nothing more. */
export const stallAnswer =
  (bytes: number): Fault =>
  async ({ response, ask }) => {
    const answer = await ask()
    response.writeHead(answer.status, answer.headers)
    response.write(answer.body.subarray(0, bytes))
  }

/** Ends the connection without reading the request. */
export const refuse: Fault = ({ request }) => void request.socket.destroy()

/** Changes the answer of the git server. */
export const edited =
  (edit: (answer: Answer) => Answer): Fault =>
  async ({ response, ask }) => {
    const { status: code, headers, body } = edit(await ask())
    response.writeHead(code, headers).end(body)
  }

/** Compresses the answer, although nobody asked for it. */
export const gzipped = edited(({ status: code, headers, body }) => ({
  status: code,
  headers: { ...headers, 'content-encoding': 'gzip' },
  body: gzipSync(body),
}))

/** Announces another length than that of the body. */
export const wrongLength =
  (more: number): Fault =>
  async ({ response, ask }) => {
    const { status: code, headers, body } = await ask()
    const head = Object.entries({ ...headers, 'content-length': body.length + more, connection: 'close' })
    response.socket?.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 ${code} OK\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
        body,
      ]),
    )
  }

/** Leaves a header of the request out. */
export const withoutHeader =
  (name: string): Fault =>
  async ({ response, ask }) => {
    const { status: code, headers, body } = await ask({ [name]: undefined })
    response.writeHead(code, headers).end(body)
  }

/** Redirects to the same path elsewhere. */
export const redirected =
  (to: (path: string) => string, code = 302): Fault =>
  ({ request, response }) =>
    void response.writeHead(code, { location: to(request.url ?? '') }).end()
