import { isForeignOrigin } from '@recto/mcp'
import { ApiFailure } from '../api/api-client.ts'
import type { RequestAddress } from '../addresses/request-address.rules.ts'
import { customizationOf } from '../layout/view.ts'
import { AgentExcluded, excludesAgents, isPublished, openSite, type OpenedSite } from '../loaders/open-site.ts'
import type { Visitor } from '../loaders/visitor.rules.ts'
import { challenge, credentialOf, type Credential } from './credential.rules.ts'
import { isMcpPath, withShareKey } from '../addresses/mcp-address.rules.ts'
import type { Visit } from './visit.ts'

/** A refusal of a client, with the headers that say what it may do about it. */
export class McpRefused extends ApiFailure {
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(status, message)
    this.headers = headers
  }
}

/** A client that asks for the server of a site. */
export interface Asking extends Omit<Visit, 'site'> {
  /** The header Authorization. */
  authorization: string | undefined
  /** The header Origin. */
  browserOrigin: string | undefined
}

/**
 * Opens a site for a client: the same lookup as for the browser of its visitor, with the credential of the header. Throws an `McpRefused`
 * for what the client may not read, and for a site that offers no server.
 */
export async function openVisit({ authorization, browserOrigin, ...asking }: Asking): Promise<Visit> {
  const credential = credentialOf(authorization)
  const site = await open(asking, credential)
  const { host, protocol } = new URL(site.lookup.canonicalUrl)
  if (isForeignOrigin(browserOrigin, [asking.origin, `${protocol}//${host}`]))
    throw new McpRefused(403, 'Pages of other origins may not send requests to this site')
  if (!isMcpPath(site.path) || !isPublished(site)) throw nothingHere()
  const { pageActions } = customizationOf(site.published, site)
  if (excludesAgents(site) || !pageActions.mcp) throw nothingHere()
  return { ...asking, visitor: withCredential(asking.visitor, credential), site }
}

function nothingHere(): McpRefused {
  return new McpRefused(404, 'There is no MCP server at this address')
}

/** Opens the site, behind the key of a share link where the client has one and the site takes it. */
async function open(asking: Omit<Visit, 'site'>, credential: Credential): Promise<OpenedSite> {
  const { address, reads, renew } = asking
  const visitor = withCredential(asking.visitor, credential)
  const at = (path: string) => openSite({ ...address, path }, { reads, visitor, renew })
  try {
    const shared = credential && 'shareKey' in credential && (await at(withShareKey(address.path, credential.shareKey)))
    const isShared = shared && 'site' in shared && shared.site.lookup.shareKey !== undefined
    const result = isShared ? shared : await at(address.path)
    if ('site' in result) return result.site
  } catch (error) {
    if (!needsCredential(error)) throw error
    throw unauthenticated(address, { credential, message: error.message })
  }
  throw unauthenticated(address, { credential, message: 'This site is for visitors who log in' })
}

function withCredential(visitor: Visitor, credential: Credential): Visitor {
  return credential && 'jwtToken' in credential ? { ...visitor, jwtToken: credential.jwtToken } : visitor
}

/** Whether the API refused what the visitor came with: a login, or the key of a share link, whose part of the address it names. */
function needsCredential(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure) || error instanceof AgentExcluded) return false
  return error.status === 403 || (error.status === 404 && error.fields.length > 0)
}

function unauthenticated(
  { site }: RequestAddress,
  { credential, message }: { credential: Credential; message: string },
): McpRefused {
  const realm = new URL(site).host
  const header = challenge({ realm, hasCredential: credential !== undefined })
  return new McpRefused(401, message, { 'www-authenticate': header })
}
