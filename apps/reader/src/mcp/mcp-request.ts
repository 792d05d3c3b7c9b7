import type { RequestAddress } from '../addresses/request-address.rules.ts'
import type { SiteTools } from '../layout/site-request.ts'
import type { PageResponse } from '../responses/page-response.ts'

/** A request of a client, at the address of a site. */
export interface McpPageRequest {
  address: RequestAddress
  headers: Readonly<Record<string, string | undefined>>
  /** The query of the address: claims without proof, as in the addresses of pages. */
  query: string
  body: string
  visitorAddress: string | undefined
  origin: string
  signal: AbortSignal | undefined
  renew: boolean
}

/** Answers clients of the Model Context Protocol for the sites of the reader. */
export type McpAnswer = (request: McpPageRequest, tools: SiteTools) => Promise<PageResponse>
