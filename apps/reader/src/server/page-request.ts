/** A request as it arrived. */
export interface PageRequest {
  method: string
  host: string
  protocol: string
  /** The network address of the visitor. */
  address: string | undefined
  /** Path and query, undecoded. */
  url: string
  headers: Readonly<Record<string, string | undefined>>
  acceptsGzip: boolean
  /** Whether Markdown is accepted rather than HTML (RFC 9110, 12.5.1). */
  prefersMarkdown: boolean
  body: string
  /** Aborts when the visitor has gone. */
  signal?: AbortSignal
}
