import type { Outgoing } from '@recto/outgoing'
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'

/** The HTTP client of isomorphic-git, which sends every request through `@recto/outgoing`. */
export interface HttpPlugin extends HttpClient {
  /** Final URL of the last reply, after redirects. */
  lastUrl(): string | undefined
  /** The authorization that the last request carried. */
  lastAuthorization(): string | undefined
}

/** Advertisements of more than 32 MB of refs are refused. */
const maxAdvertisement = 32 * 1024 * 1024

/** Creates the HTTP client; `query` is added to every request. */
export function httpPlugin(outgoing: Outgoing, { query, signal }: { query: string; signal: AbortSignal }): HttpPlugin {
  let url: string | undefined
  let authorization: string | undefined
  return {
    lastUrl: () => url,
    lastAuthorization: () => authorization,
    async request(request: GitHttpRequest): Promise<GitHttpResponse> {
      const reply = await outgoing.request({
        url: withQuery(request.url, query),
        method: request.method ?? 'GET',
        headers: request.headers ?? {},
        maxBytes: maxAdvertisement,
        signal,
      })
      url = reply.url
      authorization = request.headers?.['Authorization']
      const body = reply.body[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>
      return {
        url: reply.url,
        method: request.method ?? 'GET',
        statusCode: reply.status,
        statusMessage: '',
        headers: reply.headers,
        body,
      }
    },
  }
}

function withQuery(url: string, query: string): string {
  const separator = url.includes('?') ? '&' : '?'
  return query === '' ? url : `${url}${separator}${query.slice(1)}`
}
