import { type Outgoing, requestPlain } from '@recto/outgoing'

/** Limits of one exchange with a provider. */
export interface ExchangeLimits {
  /** Bytes of a reply. */
  maxBytes: number
  timeoutMs: number
}

/** A request as the libraries of the protocol send it. */
interface FetchOptions {
  method?: string | undefined
  headers?: RequestInit['headers'] | undefined
  body?: unknown
  signal?: AbortSignal | null | undefined
}

/** The function by which the libraries of the protocol ask a provider. */
export type OutgoingFetch = (url: string, options?: FetchOptions) => Promise<Response>

/** Statuses whose replies have no body. */
const withoutBody = new Set([204, 205, 304])

/** A `fetch` that reaches what a client for foreign URLs reaches, within its limits. It follows no redirect: no endpoint of a provider has one. */
export function outgoingFetch(outgoing: Pick<Outgoing, 'request'>): OutgoingFetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const reply = await requestPlain(outgoing, {
      url,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      followsRedirects: false,
      ...(signal && { signal }),
      ...(body !== undefined && body !== null && { body: textOf(body) }),
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    const text = withoutBody.has(reply.status) ? null : Buffer.concat(chunks)
    return new Response(text, { status: reply.status, headers: reply.headers })
  }
}

/** The body of a request, which the libraries send as text or as a form. */
function textOf(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('A request to a provider has a body of text')
}
