import { z } from 'zod'
import {
  ConditionSource,
  empty,
  endpoints,
  hasCredentials,
  HttpUrl,
  Id,
  list,
  onResource,
  page,
  text,
  Url,
} from '@recto/contracts-shared'

const serversPath = '/orgs/{organizationId}/sites/{siteId}/mcp-servers'

/** Limits of the MCP servers of a site. */
export const mcpServerLimits = { servers: 10, name: 100, headers: 20, headerName: 100, headerValue: 512 } as const

/** Stands in replies for the value of a header; in a change it stands for the value that is stored. */
export const hiddenHeaderValue = '********'

/** Headers that the connection and the protocol set. */
const ownHeaders = new Set(
  `accept accept-encoding connection content-encoding content-length content-type expect host keep-alive last-event-id
  mcp-protocol-version mcp-session-id proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding
  upgrade`.split(/\s+/),
)

const HeaderName = z
  .string()
  .refine(
    name => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) && name.length <= mcpServerLimits.headerName,
    `must be the name of an HTTP header, of at most ${mcpServerLimits.headerName} characters`,
  )
  .refine(name => !ownHeaders.has(name.toLowerCase()), 'must not be a header that the protocol sets')

const HeaderValue = text({ min: 1, max: mcpServerLimits.headerValue }).refine(
  value => value === '' || /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(value),
  'must have printable ASCII characters only, and no space at its ends',
)

const Headers = z
  .record(HeaderName, HeaderValue)
  .refine(
    headers => Object.keys(headers).length <= mcpServerLimits.headers,
    `must have at most ${mcpServerLimits.headers} headers`,
  )
  .refine(headers => {
    const names = Object.keys(headers).map(name => name.toLowerCase())
    return new Set(names).size === names.length
  }, 'must have each header once, in whatever case')
  .describe(
    `Headers of every request to the server, such as credentials. Replies have \`${hiddenHeaderValue}\` for each value`,
  )

const Name = text({ min: 1, max: mcpServerLimits.name }).describe('Begins the names of its tools for the engine')
const ServerUrl = HttpUrl.refine(url => !hasCredentials(url), 'must not have credentials: put them into `headers`')
const Transport = z.enum(['sse', 'http']).describe('`http` is Streamable HTTP, `sse` the older one of two endpoints')
const OptionalCondition = ConditionSource.nullable().describe(
  'Expression over `visitor.claims`: its tools are offered for questions of visitors for whom it holds; `null` removes it',
)

/** An external MCP server of a site. */
export const SiteMcpServer = z
  .object({
    object: z.literal('site-mcp-server'),
    id: Id,
    name: z.string(),
    url: Url,
    transport: Transport,
    headers: z.record(z.string(), z.string()).describe('By name; the values are hidden'),
    condition: z.string().optional().describe('Expression over `visitor.claims`; left out where there is none'),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'SiteMcpServer', description: 'An external MCP server, whose tools answers of a site may use' })

const CreateSiteMcpServer = z
  .object({
    name: Name,
    url: ServerUrl,
    transport: Transport.default('sse'),
    headers: Headers,
    condition: OptionalCondition.optional(),
  })
  .meta({ id: 'CreateSiteMcpServer', description: 'An MCP server to add to a site' })

const UpdateSiteMcpServer = z
  .object({
    name: Name.optional(),
    url: ServerUrl.optional(),
    transport: Transport.optional(),
    headers: Headers.optional(),
    condition: OptionalCondition.optional(),
  })
  .meta({ id: 'UpdateSiteMcpServer', description: 'Fields of an MCP server to update' })

const aServer = {
  name: 'Orders',
  url: 'https://mcp.example.com/mcp',
  transport: 'http',
  headers: { 'X-Api-Key': 'a-key' },
  condition: 'visitor.claims.plan == "pro"',
} as const

/** External MCP servers, whose tools answers of a site may use. */
export const siteMcpServers = endpoints({
  listSiteMcpServers: {
    route: `GET ${serversPath}`,
    summary: 'List the external MCP servers of a site',
    description: 'The newest come first. The values of headers are hidden.',
    query: page,
    reply: list(SiteMcpServer),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('create'),
  },
  createSiteMcpServer: {
    route: `POST ${serversPath}`,
    summary: 'Add an external MCP server to a site',
    description:
      'Answers of the site may call its tools, for visitors who meet its condition; members have no claims. Tools that say of themselves that they are destructive are never called. The server gets the arguments that the engine writes, and nothing of the visitor. A site has at most 10 servers (409). The address is checked with every call: it must be public, or allowed by the settings.',
    body: CreateSiteMcpServer,
    reply: SiteMcpServer,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['site.mcp-server.created'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ body: aServer }],
  },
  getSiteMcpServerById: {
    route: `GET ${serversPath}/{siteMcpServerId}`,
    summary: 'Get an external MCP server of a site',
    description: 'The values of headers are hidden.',
    reply: SiteMcpServer,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('create'),
  },
  updateSiteMcpServerById: {
    route: `PATCH ${serversPath}/{siteMcpServerId}`,
    summary: 'Update an external MCP server of a site',
    description: `Fields that are left out stay. \`headers\` replaces all headers; \`${hiddenHeaderValue}\` keeps the value that a header has. With a URL of another origin the headers must be given anew, since those that are stored would go to another server.`,
    body: UpdateSiteMcpServer,
    reply: SiteMcpServer,
    errors: ['not_found'],
    records: ['site.mcp-server.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ body: { name: 'Orders and invoices' } }],
  },
  deleteSiteMcpServerById: {
    route: `DELETE ${serversPath}/{siteMcpServerId}`,
    summary: 'Delete an external MCP server of a site',
    description: 'A server that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.mcp-server.deleted'],
    scope: 'site:write',
    access: onResource('create'),
  },
})
