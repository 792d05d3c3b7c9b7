import { createMcpEndpoint, methodNotAllowed } from '@recto/mcp'
import { ApiFailure } from '../api/api-client.ts'
import { renderPlain } from '../layout/plain-page.tsx'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { excludesAgents } from '../loaders/open-site.ts'
import { readRedirection } from '../loaders/read-redirection.ts'
import { readIntroduction, type Visitor } from '../loaders/visitor.rules.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { isMcpPath, mcpPath } from '../addresses/mcp-address.rules.ts'
import { mcpFailure } from './mcp-failure.ts'
import type { McpAnswer, McpPageRequest } from './mcp-request.ts'
import { McpRefused, openVisit } from './open-visit.ts'
import { networkOf } from '../responses/network.ts'
import { createRequestLimit } from '../responses/request-limit.ts'
import { siteServer } from './site-server.ts'

/** Requests at a time, and those of one address, milliseconds of one, and bytes of its body: those of every request to the reader. */
const limits = { concurrency: 64, concurrencyOfClient: 16, timeoutMs: 30_000, bodyBytes: 64 * 1024 }

/**
 * Creates the servers of all sites. Cookies are not read, so that no page of another site can use the login of a browser. Rejects as reads of
 * the API do when the token of a visitor has ended.
 */
export function createMcp({ perMinute }: { perMinute: number }): McpAnswer {
  const endpoint = createMcpEndpoint(limits)
  const limit = createRequestLimit(perMinute)
  return async (request, tools) => {
    const { headers, body, signal, address } = request
    // A request that is sent again by the reader itself is the same one.
    const client = networkOf(request.visitorAddress ?? '')
    const wait = request.renew ? undefined : limit.take(client)
    if (wait !== undefined) throw new McpRefused(429, tooMany, { 'retry-after': String(wait) })
    const open = async (until: AbortSignal) => {
      const reads = tools.reads.until(until)
      const { renew, origin } = request
      const visitor = visitorOf(request)
      const { authorization, origin: browserOrigin } = headers
      const visit = await openVisit({
        address,
        visitor,
        origin,
        renew,
        reads,
        api: tools.api,
        authorization,
        browserOrigin,
      })
      return siteServer(visit, { userAgent: headers['user-agent'] })
    }
    try {
      const url = `${request.origin}${address.path}`
      return { ...(await endpoint({ url, headers, body, client, signal }, open)), operation: 'mcp' }
    } catch (error) {
      if (signal?.aborted) return mcpFailure(new ApiFailure(408, 'The client has gone'))
      throw error
    }
  }
}

const tooMany = 'Too many requests in a minute: send it again later'

function visitorOf({ headers, query, visitorAddress }: McpPageRequest): Visitor {
  // A token in an address ends up in logs: clients send it in a header.
  const { claims } = readIntroduction(query, false)
  return {
    unsignedClaims: claims,
    address: visitorAddress,
    userAgent: headers['user-agent'],
  }
}

/** Answers a GET of a server's address: with a page of that path, or by leading to where it has moved; else it says that only POST is supported. */
export const mcpAddressFeature: SiteFeature = (request, { reads }) => {
  const { site, headers, view } = request
  if (!isMcpPath(site.path) || !view.customization.pageActions.mcp || excludesAgents(site)) return undefined
  if (headers.accept?.includes('text/event-stream')) return Promise.resolve(methodNotAllowed())
  return site.tree.at(site.path) ? undefined : answerUnlessMoved(request, reads)
}

async function answerUnlessMoved(
  { site, headers, view: { t }, origin }: SiteRequest,
  reads: SiteTools['reads'],
): Promise<PageResponse | undefined> {
  if (await readRedirection(site, { reads })) return undefined
  const answer = methodNotAllowed()
  if (!headers.accept?.includes('text/html')) return answer
  // People come by the link of a page: they are told what the address is for.
  const text = t('mcpAddress', { url: `${origin}${site.links.space}${mcpPath}` })
  const html = { ...answer.headers, 'content-type': 'text/html; charset=utf-8' }
  return { ...answer, headers: html, body: renderPlain({ title: t('connectMcp'), text, t }) }
}
