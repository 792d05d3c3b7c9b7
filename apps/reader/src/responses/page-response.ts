import type { PageText } from './page-text.ts'

/** The answer to a request. */
export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | readonly Uint8Array[] | ReadableStream<Uint8Array> | null
  /** In place of the body: a page that gets a nonce with its policy. */
  page?: PageText
  /** The name of the operation in metrics. */
  operation?: string
  /** Cookies to set, as values of `Set-Cookie`. */
  cookies?: string[]
}

/** Answers with text of a media type. */
export function textAnswer(type: string, body: string, headers: Record<string, string> = {}): PageResponse {
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, body }
}

/** Redirects: 308 if permanent, else 307. */
export function redirectResponse(location: string, isPermanent = false): PageResponse {
  return { status: isPermanent ? 308 : 307, headers: { location, 'cache-control': 'no-store' }, body: null }
}
