import { type Outgoing, OutgoingFailure, type OutgoingReply } from '@recto/outgoing'
import { requestGit } from './git-request.ts'
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'

/** The HTTP client of isomorphic-git, which sends every request through `@recto/outgoing`. */
export interface HttpPlugin extends HttpClient {
  /** URL of the last reply, after redirects. */
  lastUrl(): string | undefined
  /** Authorization header of the last request. */
  lastAuthorization(): string | undefined
}

/** Limit on the size of a ref advertisement. */
const maxAdvertisementBytes = 32 * 1024 * 1024

/** Creates the HTTP client; `query` is added to every request. */
export function httpPlugin(outgoing: Outgoing, { query, signal }: { query: string; signal: AbortSignal }): HttpPlugin {
  let url: string | undefined
  let authorization: string | undefined
  return {
    lastUrl: () => url,
    lastAuthorization: () => authorization,
    async request(request: GitHttpRequest): Promise<GitHttpResponse> {
      const reply = await requestGit(outgoing, {
        url: withQuery(request.url, query),
        method: request.method ?? 'GET',
        headers: request.headers ?? {},
        maxBytes: maxAdvertisementBytes,
        signal,
      })
      url = reply.url
      authorization = request.headers?.['Authorization']
      const bytes = await completeBody(reply)
      return {
        url: reply.url,
        method: request.method ?? 'GET',
        statusCode: reply.status,
        statusMessage: '',
        headers: reply.headers,
        body: once(bytes),
      }
    },
  }
}

/** Reads the whole body. Throws when it breaks off: isomorphic-git would accept it as an advertisement of fewer branches. */
async function completeBody({ body, url }: OutgoingReply): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const isGit = bytes.subarray(4, 14).toString('latin1') === '# service='
  if (isGit && bytes.subarray(-4).toString('latin1') !== '0000')
    throw new OutgoingFailure('unreachable', `The host ${new URL(url).host} broke off while it listed the branches`)
  return bytes
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

function withQuery(url: string, query: string): string {
  const separator = url.includes('?') ? '&' : '?'
  return query === '' ? url : `${url}${separator}${query.slice(1)}`
}
