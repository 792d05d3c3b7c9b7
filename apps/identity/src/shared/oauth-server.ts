import type { HttpReply } from '@recto/operation'

/** A request of OAuth, as the gateway has taken it. */
export interface OAuthRequest {
  method: 'GET' | 'POST'
  /** The path with its base, and the query. */
  url: string
  headers: Record<string, string | undefined>
  body?: Uint8Array | undefined
}

/** The authorization server of OAuth, which runs in the process and has no port. */
export interface OAuthServer<Context> {
  /** Answers a request by the protocol. */
  answer(request: OAuthRequest, context: Context): Promise<HttpReply>
}
