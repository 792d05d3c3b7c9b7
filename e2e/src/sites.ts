import { randomUUID } from 'node:crypto'
import type { Person } from './people.ts'
import type { PublishedClient } from './published-client.ts'
import { request } from './walk.ts'

/** A site with a part of every kind. */
export interface MadeSite {
  siteId: string
  siteSectionId: string
  otherSectionId: string
  siteSectionGroupId: string
  siteExternalLinkId: string
  siteSpaceId: string
  shareLinkId: string
  siteMcpServerId: string
  siteRedirectId: string
}

/** Creates a site at a hostname of its own. */
export async function aSiteWithHostname(
  { client: { orgs } }: Person,
  organizationId: string,
): Promise<{ hostname: string; basename: string }> {
  const hostname = `${randomUUID()}.docs.example`
  const { id } = (await orgs.createSite(organizationId, { title: 'At a hostname' })).data
  const { basename = '' } = (await orgs.updateSiteById(organizationId, id, { hostname } as never)).data
  return { hostname, basename }
}

const both = (value: string) => ({ light: value, dark: value })
const color = both('#2b59ff')

/** A schema of the claims of visitors. */
export const anAdaptiveSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { beta: { type: 'boolean', description: 'Tests betas' } },
}

/** How a site looks, complete. */
export const aCustomization = () => ({
  styling: {
    theme: 'clean',
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    background: 'plain',
    icons: 'solid',
    primaryColor: color,
    infoColor: color,
    successColor: color,
    warningColor: color,
    dangerColor: color,
    font: 'Inter',
    monospaceFont: 'FiraCode',
    search: 'subtle',
    sidebar: { background: 'default', list: 'default' },
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  ai: { mode: 'none' },
  externalLinks: { target: 'self' },
  pdf: { enabled: true },
  feedback: { enabled: false },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true, mcp: true },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
})

/** A view of a page of a space, or of a space on the site. */
export const anEvent = (place: { siteSpace?: string; space?: string }) => ({
  type: 'page_view',
  session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'a', language: null, referrer: null },
  location: {
    url: 'https://docs.test/',
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space: null,
    revision: null,
    page: 'a page',
    ...place,
  },
})

/** Adds a link to the navigation of a site and returns its id. */
export async function anExternalLink(person: Person, organizationId: string, siteId: string): Promise<string> {
  const path = `/orgs/${organizationId}/sites/${siteId}/external-links`
  return (await request<{ id: string }>(person, 'POST', path, { title: 'Status', url: 'https://status.test/' })).id
}

/** Adds an external MCP server to a site, for visitors whom no test has, and returns its id. */
export async function anMcpServer(person: Person, organizationId: string, siteId: string): Promise<string> {
  const path = `/orgs/${organizationId}/sites/${siteId}/mcp-servers`
  const body = { name: 'Orders', url: 'https://mcp.test/mcp', headers: { 'X-Api-Key': 'a-key' } }
  return (await request<{ id: string }>(person, 'POST', path, { ...body, condition: 'visitor.claims.nobody' })).id
}

/** Publishes a site with two sections that show a space, a group with one of them, and a share link. */
export async function aSite(person: Person, organizationId: string, spaceId: string): Promise<MadeSite> {
  const { orgs } = person.client
  const site = (await orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data
  await orgs.publishSite(organizationId, site.id)
  const add = async (title: string) => (await orgs.addSectionToSite(organizationId, site.id, { spaceId, title })).data
  const section = await add('Guides')
  const other = await add('Api')
  const group = await orgs.addSectionGroupToSite(organizationId, site.id, { title: 'More', sections: [section.id] })
  const link = await orgs.createSiteShareLink(organizationId, site.id, { name: 'Friends' })
  const siteSpaceId = section.siteSpaces[0]?.id ?? ''
  const redirect = await orgs.createSiteRedirect(organizationId, site.id, {
    source: '/old',
    destination: { kind: 'site-space', siteSpaceId },
  })
  await orgs.updateSiteAdaptiveSchema(organizationId, site.id, { jsonSchema: anAdaptiveSchema as never })
  return {
    siteId: site.id,
    siteSectionId: section.id,
    otherSectionId: other.id,
    siteSectionGroupId: group.data.id,
    siteExternalLinkId: await anExternalLink(person, organizationId, site.id),
    siteSpaceId,
    shareLinkId: link.data.id,
    siteMcpServerId: await anMcpServer(person, organizationId, site.id),
    siteRedirectId: redirect.data.id,
  }
}

/** Warms up the search of a site, for which the older client has no method. */
export async function prewarmSearch(
  client: PublishedClient,
  organizationId: string,
  siteId: string,
): Promise<{ status: number; data: undefined }> {
  const path = `/orgs/${organizationId}/sites/${siteId}/search/prewarm`
  const { status } = await client.request<unknown, unknown>({ method: 'POST', path, secure: true })
  return { status, data: undefined }
}
