import robotsParser from 'robots-parser'
import { decodeText } from './content-type.ts'
import { ConvertFailure } from './convert-failure.ts'
import type { ConvertTools } from './tools.ts'

/** How the crawler calls itself. */
export const crawlerName = 'RectoImport'

/** The rules of a site's robots.txt (RFC 9309). */
export interface Robots {
  allows(url: string): boolean
  /** Seconds between two requests; 0 when the site does not ask for any. */
  delay: number
  sitemaps: string[]
}

const maxBytes = 512 * 1024
const maxDelay = 10

/**
 * Reads the robots.txt of a site (RFC 9309): one that is not there, or leads in circles, allows everything; of one that fails with a
 * server error nothing is known, so nothing is allowed.
 */
export async function readRobots(origin: string, tools: Pick<ConvertTools, 'fetch'>): Promise<Robots> {
  const url = `${origin}/robots.txt`
  const text = await fetchText(url, tools)
  const robots = robotsParser(url, text)
  return {
    allows: page => robots.isAllowed(page, crawlerName) !== false,
    delay: Math.min(robots.getCrawlDelay(crawlerName) ?? 0, maxDelay),
    sitemaps: robots.getSitemaps(),
  }
}

async function fetchText(url: string, tools: Pick<ConvertTools, 'fetch'>): Promise<string> {
  const reply = await tools.fetch(url, { maxBytes }).catch((error: unknown) => {
    if (isUnusableReply(error)) return { status: 404, bytes: new Uint8Array(), contentType: '' }
    throw error
  })
  if (reply.status >= 500)
    throw new ConvertFailure(
      'unreachable',
      `The robots.txt of ${new URL(url).host} cannot be read (${reply.status}), so nothing may be fetched`,
    )
  return reply.status === 200 ? decodeText(reply.bytes) : ''
}

/** Whether a request failed with too many redirects or a reply that is too large. */
function isUnusableReply(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && (error.reason === 'redirects' || error.reason === 'too_large')
}
